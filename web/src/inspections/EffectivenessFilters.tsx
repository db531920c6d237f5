import { laneId, selections, UNBIASED_SELECTIONS } from '@rogatka/contract/options.ts'
import { HIT_RATE_TARGET } from '@rogatka/domain/inspections/hitRate.ts'
import { toggle } from '@rogatka/domain/vehicle/toggle.ts'
import { useTranslation } from 'react-i18next'
import { serverNow } from '../core/clock.ts'
import { FilterPanel } from '../core/frame/FilterPanel.tsx'
import { StationFilter, useStations } from '../locations/publicApi.ts'
import { CheckboxGroup } from '../ui/CheckboxGroup.tsx'
import { DateTimeRange } from '../ui/DateTimeRange.tsx'
import type { DateRange } from '../ui/dateRange.ts'
import { FilterLine, FilterLines, FilterSection } from '../ui/FilterSection.tsx'
import { LegendList } from '../ui/LegendList.tsx'
import { PeriodLinks } from '../ui/PeriodLinks.tsx'
import { toRangeParams } from '../ui/RangeSection.tsx'
import { StatusMark } from '../ui/StatusMark.tsx'
import { LaneChoice } from '../ui/vehicle/LaneChoice.tsx'
import css from './Effectiveness.module.css'
import { type EffectivenessQuery, type EffectivenessSearch, PERIODS } from './effectivenessSearch.ts'

type Props = {
  search: EffectivenessSearch
  query: EffectivenessQuery
  onChange: (changes: Partial<EffectivenessSearch>) => void
}

/** Filter panel: stations, their lanes, range, and the plan of the accuracy classes with the selections of the pairs. */
export function EffectivenessFilters({ search, query, onChange }: Props) {
  const { t } = useTranslation('inspections')
  const { locations = [], lanes = [], selections: chosen = UNBIASED_SELECTIONS } = search
  const { stations } = useStations()
  const range = { start: String(query.dateTimeStart), end: String(query.dateTimeEnd) }
  const setRange = (next: DateRange) => onChange(toRangeParams(next))
  const chosenStations = (stations ?? []).filter(({ location }) => locations.includes(location.id))
  return (
    <FilterPanel legend={<EffectivenessLegend />}>
      <StationFilter selected={locations} onChange={(ids) => onChange({ locations: ids })} />
      {chosenStations.length > 0 && (
        <FilterSection
          title={lanes.length > 0 ? t('effectiveness-lanes') : t('effectiveness-lanes-all')}
          {...(lanes.length > 0 && { onRemove: () => onChange({ lanes: [] }) })}
        >
          <div className={css.options}>
            {chosenStations.map(({ location }) => (
              <div key={location.id} className={css.lanes}>
                <span>{location.shortName}</span>
                <LaneChoice
                  label={t('effectiveness-lanes-of', { station: location.shortName })}
                  lanes={location.lanes.map(({ laneNumber }) => laneNumber)}
                  selected={location.lanes
                    .map(({ laneNumber }) => laneNumber)
                    .filter((number) => lanes.includes(laneId(location.id, number)))}
                  onToggle={(number) => onChange({ lanes: toggle(lanes, laneId(location.id, number)) })}
                />
              </div>
            ))}
          </div>
        </FilterSection>
      )}
      <FilterSection title={t('ui:range')}>
        <div className={css.options}>
          <DateTimeRange label={t('ui:range')} range={range} onChange={setRange} />
          <p className={css.periods}>
            <PeriodLinks now={serverNow} onChoose={setRange} days={PERIODS} />
          </p>
        </div>
      </FilterSection>
      <FilterSection title={t('effectiveness-selections')}>
        <div className={css.options}>
          <CheckboxGroup
            label={t('effectiveness-selections')}
            selected={chosen}
            onToggle={(selection) => onChange({ selections: toggle(chosen, selection) })}
            required={t('effectiveness-one-selection')}
            options={selections.map((value) => ({ value, label: t(`effectiveness-selection-${value}`) }))}
          />
        </div>
      </FilterSection>
      <FilterSection title={t('effectiveness-plan')}>
        <FilterLines>
          <FilterLine figure="R2">{t('effectiveness-repeatability')}</FilterLine>
          <FilterLine figure={t('effectiveness-by-dates')}>{t('effectiveness-environment')}</FilterLine>
          <FilterLine figure={t('effectiveness-in-service')}>{t('effectiveness-verification')}</FilterLine>
        </FilterLines>
      </FilterSection>
    </FilterPanel>
  )
}

function EffectivenessLegend() {
  const { t } = useTranslation('inspections')
  return (
    <LegendList label={t('core:legend')}>
      <li>
        <svg width="22" height="12" aria-hidden="true">
          <path className={css.interval} d="M1 6h20" />
          <circle className={css.point} cx="11" cy="6" r="4" />
        </svg>
        {t('effectiveness-legend-rate')}
      </li>
      <li>
        <svg width="22" height="12" aria-hidden="true">
          <path className={css.target} d="M11 0v12" />
        </svg>
        {t('effectiveness-legend-target', { target: HIT_RATE_TARGET })}
      </li>
      <li>
        <svg width="22" height="12" aria-hidden="true">
          <path className={css.outside} d="M11 1l5 10H6z" />
        </svg>
        {t('effectiveness-legend-outside')}
      </li>
      <li>
        <span className={css.mark}>
          <StatusMark status="attention" />
        </span>
        {t('effectiveness-legend-attention')}
      </li>
    </LegendList>
  )
}
