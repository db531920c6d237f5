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
import { type ArchiveSearch, levelsIn, orderFrom, sortLevels } from './search.ts'

type Props = {
  search: ArchiveSearch
  onChange: (changes: Partial<ArchiveSearch>) => void
}

/** The rail: what was chosen, each with its bin. */
export function ActiveFilters({ search, onChange }: Props) {
  const { t } = useTranslation('archive')
  const { categoryName, chosenData, columnName, directionName } = useFilterTexts()
  const { violationName } = useFindingTexts()
  const levels = sortLevels(search)
  const ordered = levelsIn(search).length > 0

  return (
    <Rail>
      <Stations search={search} onChange={onChange} />
      <ActiveCriteria
        filters={search}
        data={chosenData(search)}
        onChange={onChange}
        texts={{
          categories: t('categories'),
          lanes: t('lanes'),
          violations: t('violations'),
          allViolations: t('violations-all'),
          data: t('vehicle-data'),
          categoryName,
          violationName,
        }}
      />
      {search.taggedOnly && (
        <FilterSection title={t('tag')} onRemove={() => onChange({ taggedOnly: undefined })}>
          <FilterLines>
            <FilterLine>{t('tagged-only')}</FilterLine>
          </FilterLines>
        </FilterSection>
      )}
      <Range search={search} onChange={onChange} />
      <FilterSection title={t('order')} {...(ordered && { onRemove: () => onChange(orderFrom([])) })}>
        <FilterLines>
          {levels.map(({ column, direction }, at) => (
            <FilterLine key={column}>
              {levels.length > 1 && `${at + 1}. `}
              {columnName(column)}, {directionName(direction)}
            </FilterLine>
          ))}
        </FilterLines>
      </FilterSection>
    </Rail>
  )
}

function Range({ search: { dateTimeStart, dateTimeEnd }, onChange }: Props) {
  const { t } = useTranslation('archive')
  if (!dateTimeStart && !dateTimeEnd) return null
  const line = (texts: string, at: string | undefined) =>
    at && <FilterLine figure={`${formatDate(at)} ${formatClock(at)}`}>{texts}</FilterLine>
  return (
    <FilterSection title={t('range')} onRemove={() => onChange({ dateTimeStart: undefined, dateTimeEnd: undefined })}>
      <FilterLines>
        {line(t('from'), dateTimeStart)}
        {line(t('to'), dateTimeEnd)}
      </FilterLines>
    </FilterSection>
  )
}

function Stations({ search: { locations = [] }, onChange }: Props) {
  const { t } = useTranslation('archive')
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
