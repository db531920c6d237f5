import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useStations } from '../locations/publicApi.ts'
import { Columns, Panel, Section } from '../ui/Panel.tsx'
import { RangeSection } from '../ui/RangeSection.tsx'
import { StationSection } from '../ui/vehicle/StationSection.tsx'
import { type CalibrationSearch, DEFAULT_HOURS, hoursIn, type Kind } from './search.ts'
import { useCalibrationTexts } from './useCalibrationTexts.ts'

type Props = {
  kind: Kind
  search: CalibrationSearch
  missing: { range: boolean; locations: boolean }
  onChange: (changes: Partial<CalibrationSearch>) => void
}

/** Step 1: stations, time range and, for mean loads, resolution. */
export function StationTimeStep({ kind, ...step }: Props) {
  const { t } = useTranslation('calibration')
  const { hours } = useCalibrationTexts()
  return (
    <Columns wide>
      <Panel>
        <StationSection list={useStations()} {...step} />
      </Panel>
      <Panel>
        {kind === 'load' && (
          <Section title={t('ui:resolution')}>
            <Select
              aria-label={t('ui:resolution')}
              data={hours}
              value={String(step.search.statResolutionValue ?? DEFAULT_HOURS)}
              allowDeselect={false}
              onChange={(value) => step.onChange({ statResolutionValue: hoursIn(value) })}
            />
          </Section>
        )}
        <RangeSection {...step} />
      </Panel>
    </Columns>
  )
}
