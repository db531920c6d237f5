import { Button, MultiSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import css from './StationsField.module.css'
import { storedBelow } from './StoredValue.tsx'

type Props = {
  /** Undefined until they are known. */
  stations: readonly { id: number; shortName: string }[] | undefined
  value: readonly number[]
  onChange: (ids: number[]) => void
  error: ReactNode
  /** What another user stored in the meantime. */
  stored: string | undefined
  hint?: string
}

/** A field for several stations, with a button for all. */
export function StationsField({ stations = [], value, onChange, error, stored, hint }: Props) {
  const { t } = useTranslation('ui')
  return (
    <div className={css.stations}>
      <MultiSelect
        label={t('stations')}
        data={stations.map(({ id, shortName }) => ({ value: String(id), label: shortName }))}
        searchable
        comboboxProps={{ transitionProps: { duration: 0 } }}
        value={value.map(String)}
        onChange={(ids) => onChange(ids.map(Number))}
        error={error}
        {...storedBelow(stored)}
        {...(hint !== undefined && stored === undefined && { description: hint })}
      />
      <Button
        variant="default"
        size="xs"
        disabled={value.length === stations.length}
        onClick={() => onChange(stations.map(({ id }) => id))}
      >
        {t('select-all-stations')}
      </Button>
    </div>
  )
}
