import { useTranslation } from 'react-i18next'
import { useStations } from '../locations/publicApi.ts'
import { Columns, Panel, Section } from '../ui/Panel.tsx'
import { CategorySection, LaneSection, ViolationSection } from '../ui/vehicle/CriteriaSections.tsx'
import { ClassCountrySections, TimeSections, useFilterTexts } from '../vehicle/publicApi.ts'
import { isLocked } from './presets.ts'
import type { StatisticsSearch } from './urlParams.ts'

type Props = { search: StatisticsSearch; onChange: (changes: Partial<StatisticsSearch>) => void }

/** Step 2: conditions on the vehicles. */
export function CriteriaStep({ search, onChange }: Props) {
  const { t } = useTranslation('statistics')
  const { criteriaTexts } = useFilterTexts()
  const { lanes } = useStations()
  const criteria = { filters: search, onChange, texts: criteriaTexts }
  return (
    <Columns wide>
      <Panel>
        <CategorySection {...criteria} />
        <TimeSections search={search} onChange={onChange} />
        <ClassCountrySections search={search} onChange={onChange} />
      </Panel>
      <Panel>
        {isLocked(search, 'violations') ? (
          <Section title={criteriaTexts.violations} hint={t('set-by-preset')}>
            {criteriaTexts.violationName('overspeed')}
          </Section>
        ) : (
          <ViolationSection {...criteria} />
        )}
        <LaneSection {...criteria} lanes={lanes} />
      </Panel>
    </Columns>
  )
}
