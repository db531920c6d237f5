import { Checkbox, MultiSelect, NumberInput } from '@mantine/core'
import { offenderGroups } from '@rogatka/contract/options.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocations } from '../locations/publicApi.ts'
import { DayField } from '../ui/DayField.tsx'
import { type Days, daysOf, rangeOf } from '../ui/dayRange.ts'
import { SegmentedControl } from '../ui/SegmentedControl.tsx'
import css from './Offenders.module.css'
import { DEFAULT_MIN, MAX_MIN, type OffenderSearch } from './search.ts'

type Props = { search: OffenderSearch; onChange: (changes: Partial<OffenderSearch>) => void }

/** Plates or carriers, days, stations, minimum number of overloads. */
export function OffenderFilters({ search, onChange }: Props) {
  const { t } = useTranslation('offenders')
  const { data: stations } = useLocations()
  const days = daysOf(search)
  const setDays = (changed: keyof Days, day: string | null) => onChange(rangeOf({ ...days, [changed]: day }, changed))
  return (
    <div className={css.filters}>
      <SegmentedControl
        label={t('group')}
        options={offenderGroups.map((group) => ({ value: group, label: t(`group-${group}`) }))}
        value={search.groupBy ?? 'plate'}
        onChange={(group) => onChange({ groupBy: group === 'plate' ? undefined : group })}
      />
      <DayField
        label={t('from-day')}
        value={days.from}
        onChange={(day) => setDays('from', day)}
        clearLabel={t('clear-from')}
      />
      <DayField
        label={t('until-day')}
        value={days.until}
        onChange={(day) => setDays('until', day)}
        clearLabel={t('clear-until')}
      />
      <Minimum key={search.minOverloads} value={search.minOverloads ?? DEFAULT_MIN} onChange={onChange} />
      <MultiSelect
        className={css.stations ?? ''}
        label={t('ui:stations')}
        placeholder={search.locations ? '' : t('all-stations')}
        data={stations?.map(({ id, shortName }) => ({ value: String(id), label: shortName })) ?? []}
        value={search.locations?.map(String) ?? []}
        onChange={(ids) => onChange({ locations: ids.map(Number) })}
        clearable
        clearButtonProps={{ 'aria-label': t('all-stations') }}
        comboboxProps={{ transitionProps: { duration: 0 } }}
      />
      <Checkbox
        className={css.repeatOnly ?? ''}
        label={t('repeat-only')}
        description={t('repeat-hint')}
        checked={!search.all}
        onChange={({ currentTarget }) => onChange({ all: currentTarget.checked ? undefined : true })}
      />
    </div>
  )
}

type MinimumProps = { value: number; onChange: Props['onChange'] }

/** Takes effect on Enter and when the field is left. */
function Minimum({ value, onChange }: MinimumProps) {
  const { t } = useTranslation('offenders')
  const [draft, setDraft] = useState<number | string>(value)
  const commit = () => {
    const minOverloads = Math.round(Number(draft))
    if (draft === '' || minOverloads < 1 || minOverloads > MAX_MIN) setDraft(value)
    else if (minOverloads !== value) onChange({ minOverloads })
  }
  return (
    <NumberInput
      label={t('minimum')}
      value={draft}
      onChange={setDraft}
      onBlur={commit}
      onKeyDown={(event) => event.key === 'Enter' && commit()}
      min={1}
      max={MAX_MIN}
      allowDecimal={false}
      allowNegative={false}
      hideControls
    />
  )
}
