import { useTranslation } from 'react-i18next'
import { ActiveRange } from '../core/frame/ActiveRange.tsx'
import { FilterPanel } from '../core/frame/FilterPanel.tsx'
import { useStations } from '../locations/publicApi.ts'
import { FilterLine, FilterLines, FilterSection } from '../ui/FilterSection.tsx'
import { ActiveStations } from '../ui/vehicle/ActiveStations.tsx'
import { ChartLegend } from './ChartLegend.tsx'
import { type CalibrationSearch, DEFAULT_HOURS, type Kind } from './search.ts'
import { useCalibrationTexts } from './useCalibrationTexts.ts'

type Props = {
  kind: Kind
  search: CalibrationSearch
  /** Whether charts are shown. */
  hasCharts: boolean
  onChange: (changes: Partial<CalibrationSearch>) => void
}

export function ActiveFilters({ kind, search, hasCharts, onChange }: Props) {
  const { t } = useTranslation('calibration')
  const { hoursName } = useCalibrationTexts()
  const { stations } = useStations()
  return (
    <FilterPanel {...(hasCharts && { legend: <ChartLegend /> })}>
      <ActiveStations stations={stations} selected={search.locations} onChange={onChange} />
      <ActiveRange range={search} onChange={onChange} />
      {kind === 'load' && (
        <FilterSection title={t('ui:resolution')}>
          <FilterLines>
            <FilterLine>{hoursName(search.statResolutionValue ?? DEFAULT_HOURS)}</FilterLine>
          </FilterLines>
        </FilterSection>
      )}
    </FilterPanel>
  )
}
