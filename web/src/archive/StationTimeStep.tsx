import { useTranslation } from 'react-i18next'
import { serverNow } from '../core/clock.ts'
import { useStations } from '../locations/publicApi.ts'
import { Columns, Panel, SectionNote } from '../ui/Panel.tsx'
import { PeriodLinks } from '../ui/PeriodLinks.tsx'
import { RangeSection, toRangeParams } from '../ui/RangeSection.tsx'
import { StationSection } from '../ui/vehicle/StationSection.tsx'
import css from './Steps.module.css'
import type { ArchiveSearch } from './search.ts'

type Props = {
  search: ArchiveSearch
  missing: { range: boolean; locations: boolean }
  onChange: (changes: Partial<ArchiveSearch>) => void
}

/** Step 1: stations and time range. */
export function StationTimeStep(props: Props) {
  const { t } = useTranslation('archive')
  return (
    <Columns>
      <Panel>
        <StationSection list={useStations()} {...props} />
      </Panel>
      <Panel>
        <RangeSection {...props}>
          <div className={css.periods}>
            <PeriodLinks now={serverNow} onChoose={(range) => props.onChange(toRangeParams(range))} />
          </div>
          <SectionNote>{t('range-hint')}</SectionNote>
        </RangeSection>
      </Panel>
    </Columns>
  )
}
