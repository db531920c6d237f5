import { Button, Select } from '@mantine/core'
import { type AccuracyClass, accuracyClasses } from '@rogatka/contract/locations.ts'
import { useTranslation } from 'react-i18next'
import { MISSING } from '../core/format.ts'
import { StoredValue } from '../ui/StoredValue.tsx'
import css from './Stations.module.css'

type Lanes = (AccuracyClass | null)[]

/** Accuracy classes of lanes as text. */
export const laneTexts = (lanes: Readonly<Lanes>): string[] => lanes.map((accuracyClass) => accuracyClass ?? MISSING)

type Props = { lanes: Lanes; onChange: (lanes: Lanes) => void; error: string | undefined; stored: string | undefined }

/** Accuracy classes of the lanes 1 to n; lanes are added and removed at the end, as vehicles refer to their numbers. */
export function LanesField({ lanes, onChange, error, stored }: Props) {
  const { t } = useTranslation('locations')
  const options = [
    { value: '', label: t('no-scale') },
    ...accuracyClasses.map((value) => ({ value: value as string, label: value })),
  ]
  return (
    <div className={css.lanes}>
      {lanes.map((accuracyClass, index) => (
        <Select
          // Lanes have no identity but their number.
          // biome-ignore lint/suspicious/noArrayIndexKey: the index is the lane's number
          key={index}
          label={t('lane-class', { lane: index + 1 })}
          data={options}
          allowDeselect={false}
          comboboxProps={{ transitionProps: { duration: 0 } }}
          value={accuracyClass ?? ''}
          onChange={(selected) =>
            onChange(lanes.with(index, accuracyClasses.find((value) => value === selected) ?? null))
          }
        />
      ))}
      <div className={css.laneButtons}>
        <Button variant="default" size="xs" onClick={() => onChange([...lanes, lanes.at(-1) ?? null])}>
          {t('add-lane')}
        </Button>
        <Button variant="default" size="xs" disabled={lanes.length === 1} onClick={() => onChange(lanes.slice(0, -1))}>
          {t('remove-lane', { lane: lanes.length })}
        </Button>
      </div>
      {error && (
        <p className={css.error} role="alert">
          {error}
        </p>
      )}
      <StoredValue value={stored} />
    </div>
  )
}
