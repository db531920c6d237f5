import { Radio, Select } from '@mantine/core'
import { divisions, graphTypes, statNames } from '@rogatka/contract/options.ts'
import { useTranslation } from 'react-i18next'
import { Section, SinglePanel } from '../ui/Panel.tsx'
import { SegmentedControl } from '../ui/SegmentedControl.tsx'
import { isLocked } from './presets.ts'
import css from './Steps.module.css'
import { defaultDisplay } from './search.ts'
import type { StatisticsSearch } from './urlParams.ts'

type Props = { search: StatisticsSearch; onChange: (changes: Partial<StatisticsSearch>) => void }

/** Step 3: figure, grouping, chart type. */
export function GroupByStep({ search, onChange }: Props) {
  const { t } = useTranslation('statistics')
  const { statName, groupBy, graphType } = defaultDisplay(search)
  const lockHint = (lock: 'statName' | 'groupBy') => (isLocked(search, lock) ? t('set-by-preset') : null)
  return (
    <SinglePanel>
      <Section title={t('statistic')} hint={lockHint('statName')}>
        <Select
          aria-label={t('statistic')}
          data={statNames.map((value) => ({ value, label: t(`stat-${value}`) }))}
          value={statName}
          allowDeselect={false}
          disabled={isLocked(search, 'statName')}
          onChange={(value) => onChange({ statName: statNames.find((option) => option === value) })}
        />
      </Section>
      <Section title={t('division')} hint={lockHint('groupBy')}>
        <div role="radiogroup" aria-label={t('division')} className={css.divisions}>
          {divisions.map((value) => (
            <Radio
              key={value}
              name="groupBy"
              label={t(`division-${value}`)}
              checked={value === groupBy}
              onChange={() => onChange({ groupBy: value })}
              disabled={isLocked(search, 'groupBy') && value !== groupBy}
            />
          ))}
        </div>
      </Section>
      <Section title={t('chart')}>
        <SegmentedControl
          label={t('chart')}
          options={graphTypes.map((value) => ({ value, label: t(`chart-${value}`) }))}
          value={graphType}
          onChange={(value) => onChange({ graphType: value })}
        />
      </Section>
    </SinglePanel>
  )
}
