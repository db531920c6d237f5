import { laneOptions } from '@rogatka/domain/locations/availability.ts'
import { useTranslation } from 'react-i18next'
import { useStations } from '../locations/useStations.ts'
import { Panel, Section } from '../ui/Panel.tsx'
import { CategorySection, LaneSection, ViolationSection } from '../ui/vehicle/CriteriaSections.tsx'
import { useFilterTexts } from '../vehicle/useFilterTexts.ts'
import { useFindingTexts } from '../vehicle/useFindings.ts'
import type { StatisticsSearch } from './address.ts'
import { isLocked } from './presets.ts'
import css from './Steps.module.css'

type Props = { search: StatisticsSearch; onChange: (changes: Partial<StatisticsSearch>) => void }

/** Step 2: what the vehicles must be. */
export function CriteriaStep({ search, onChange }: Props) {
  const { t } = useTranslation('statistics')
  const { violationName } = useFindingTexts()
  const { categoryName } = useFilterTexts()
  const { stations } = useStations()
  const criteria = { filters: search, onChange }
  return (
    <div className={css.columns}>
      <Panel>
        <CategorySection {...criteria} title={t('categories')} all={t('all')} nameOf={categoryName} />
      </Panel>
      <Panel>
        {isLocked(search, 'violations') ? (
          <Section title={t('violations')} hint={t('held')}>
            {violationName('overspeed')}
          </Section>
        ) : (
          <ViolationSection {...criteria} title={t('violations')} all={t('all')} nameOf={violationName} />
        )}
        <LaneSection
          {...criteria}
          title={t('lanes')}
          lanes={stations && laneOptions(stations.map(({ location }) => location))}
        />
      </Panel>
    </div>
  )
}
