import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'

type Props = {
  /** Undefined while loading. */
  stations: readonly { id: number; shortName: string }[] | undefined
  /** Text of no selection. */
  all: string
  /** Undefined: all. */
  value: number | undefined
  onChange: (id: number | undefined) => void
}

/** Selects one station or all. */
export function StationSelect({ stations = [], all, value, onChange }: Props) {
  const { t } = useTranslation('ui')
  return (
    <Select
      aria-label={t('station')}
      placeholder={all}
      data={stations.map(({ id, shortName }) => ({ value: String(id), label: shortName }))}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': all }}
      comboboxProps={{ transitionProps: { duration: 0 } }}
      value={value === undefined ? null : String(value)}
      onChange={(id) => onChange(id === null ? undefined : Number(id))}
    />
  )
}
