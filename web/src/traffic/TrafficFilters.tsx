import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FilterPanel } from '../core/frame/FilterPanel.tsx'
import { StationFilter } from '../locations/publicApi.ts'
import { DayField } from '../ui/DayField.tsx'
import { type Days, rangeOf } from '../ui/dayRange.ts'
import { FilterSection } from '../ui/FilterSection.tsx'
import { SegmentedControl } from '../ui/SegmentedControl.tsx'
import { useErrorText } from '../ui/useErrorText.ts'
import { TimeClassCountryFilter } from '../vehicle/publicApi.ts'
import { comparisons, countsVehicles, type EarlierPeriod, type Period, type TrafficSearch } from './search.ts'
import css from './Traffic.module.css'
import { useTrafficTexts } from './useTrafficTexts.ts'

type Props = {
  search: TrafficSearch
  period: Period
  earlier: EarlierPeriod | null
  /** Why there are no figures of the earlier period. */
  earlierError: unknown
  onChange: (changes: Partial<TrafficSearch>) => void
  legend: ReactNode
  /** Further filters. */
  children?: ReactNode
}

/** Filter panel: stations, days, what they are compared with, hours, weekdays, COST 323 classes and countries. */
export function TrafficFilters({ search, period, earlier, earlierError, onChange, legend, children }: Props) {
  const { t } = useTranslation('traffic')
  const texts = useTrafficTexts()
  const errorText = useErrorText()
  const { locations = [] } = search
  const setDay = (changed: keyof Days, day: string | null) =>
    onChange(
      day === null ? rangeOf({ from: null, until: null }, changed) : rangeOf({ ...period, [changed]: day }, changed),
    )
  return (
    <FilterPanel legend={legend}>
      <StationFilter selected={locations} onChange={(ids) => onChange({ locations: ids })} />
      <FilterSection title={t('ui:range')}>
        <div className={css.options}>
          <DayField label={t('from')} value={period.from} onChange={(day) => setDay('from', day)} />
          <DayField label={t('until')} value={period.until} onChange={(day) => setDay('until', day)} />
        </div>
      </FilterSection>
      <FilterSection title={t('compare')}>
        <div className={css.options}>
          <SegmentedControl
            label={t('compare')}
            options={comparisons.map((value) => ({ value, label: t(`compare-${value}`) }))}
            value={search.compare ?? 'before'}
            onChange={(compare) => onChange({ compare: compare === 'before' ? undefined : compare })}
            wide
          />
          {earlier && (
            <p className={css.earlier}>
              {texts.earlierName(earlier)}
              <b>{texts.days(earlier)}</b>
            </p>
          )}
          {earlier && earlierError ? <p className={css.quiet}>{errorText(earlierError)}</p> : null}
        </div>
      </FilterSection>
      {children}
      <TimeClassCountryFilter
        search={search}
        onChange={onChange}
        note={countsVehicles(search) && t('counts-vehicles')}
      />
    </FilterPanel>
  )
}
