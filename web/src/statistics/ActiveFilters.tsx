import { toggle } from '@rogatka/domain/vehicle/toggle.ts'
import { useTranslation } from 'react-i18next'
import { formatClock, formatDate } from '../core/format.ts'
import { Rail } from '../core/frame/Rail.tsx'
import { useStations } from '../locations/useStations.ts'
import { FilterLine, FilterLines, FilterSection } from '../ui/FilterSection.tsx'
import { ActiveCriteria } from '../ui/vehicle/ActiveCriteria.tsx'
import { ActiveStations } from '../ui/vehicle/ActiveStations.tsx'
import { useFilterTexts } from '../vehicle/useFilterTexts.ts'
import { useFindingTexts } from '../vehicle/useFindings.ts'
import type { StatisticsSearch } from './address.ts'
import { isLocked } from './presets.ts'
import { defaultDisplay } from './search.ts'
import { useStatisticsTexts } from './useStatisticsTexts.ts'

type Props = { search: StatisticsSearch; onChange: (changes: Partial<StatisticsSearch>) => void }

/** The rail: what was chosen, each with its bin. What a preset holds fast leaves it with its bin. */
export function ActiveFilters({ search, onChange }: Props) {
  const { t } = useTranslation('statistics')
  const { categoryName } = useFilterTexts()
  const { violationName } = useFindingTexts()
  const { what, resolution } = useStatisticsTexts(search)
  const { groupBy, graphType } = defaultDisplay(search)

  return (
    <Rail>
      <Stations search={search} onChange={onChange} />
      <ActiveCriteria
        filters={search}
        data={[]}
        onChange={onChange}
        texts={{
          categories: t('categories'),
          lanes: t('lanes'),
          violations: t('violations'),
          allViolations: t('violations-all'),
          data: '',
          categoryName,
          violationName,
        }}
      />
      <Range search={search} onChange={onChange} />
      <FilterSection title={t('shown')}>
        <FilterLines>
          <FilterLine figure={search.statResolutionUnit && search.statResolutionValue ? resolution : undefined}>
            {what}
          </FilterLine>
          <FilterLine figure={t(`division-${groupBy}`)}>{t('division')}</FilterLine>
          <FilterLine figure={t(`chart-${graphType}`)}>{t('chart')}</FilterLine>
        </FilterLines>
      </FilterSection>
    </Rail>
  )
}

function Range({ search, onChange }: Props) {
  const { t } = useTranslation('statistics')
  const { dateTimeStart, dateTimeEnd } = search
  if (!dateTimeStart && !dateTimeEnd) return null
  const held = isLocked(search, 'start') || isLocked(search, 'end')
  const line = (texts: string, at: string | undefined) =>
    at && <FilterLine figure={`${formatDate(at)} ${formatClock(at)}`}>{texts}</FilterLine>
  return (
    <FilterSection
      title={t('range')}
      {...(!held && { onRemove: () => onChange({ dateTimeStart: undefined, dateTimeEnd: undefined }) })}
    >
      <FilterLines>
        {line(t('from'), dateTimeStart)}
        {line(t('to'), dateTimeEnd)}
      </FilterLines>
    </FilterSection>
  )
}

function Stations({ search: { locations = [] }, onChange }: Props) {
  const { t } = useTranslation('statistics')
  const { stations } = useStations()
  if (locations.length === 0) return null
  return (
    <ActiveStations
      title={t('stations')}
      stations={(stations ?? [])
        .filter(({ location }) => locations.includes(location.id))
        .map(({ location, status, silence }) => ({
          id: location.id,
          name: location.shortName,
          status,
          figure: silence,
        }))}
      onRemove={(id) => onChange({ locations: toggle(locations, id) })}
      onRemoveAll={() => onChange({ locations: [] })}
    />
  )
}
