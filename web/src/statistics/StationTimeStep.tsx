import { NumberInput, Select } from '@mantine/core'
import { presetNames, type ResolutionUnit, resolutionUnits } from '@rogatka/contract/options.ts'
import { estimatePeriods } from '@rogatka/domain/statistics/periods.ts'
import { useTranslation } from 'react-i18next'
import { serverNow } from '../core/clock.ts'
import { useFormat } from '../core/format.ts'
import { useStations } from '../locations/publicApi.ts'
import { Columns, Panel, Section, SectionNote } from '../ui/Panel.tsx'
import { RangeSection } from '../ui/RangeSection.tsx'
import { SegmentedControl } from '../ui/SegmentedControl.tsx'
import { StationSection } from '../ui/vehicle/StationSection.tsx'
import { filtersOf, isLocked } from './presets.ts'
import css from './Steps.module.css'
import type { missingFields } from './search.ts'
import type { StatisticsSearch } from './urlParams.ts'

type Props = {
  search: StatisticsSearch
  missing: ReturnType<typeof missingFields>
  onChange: (changes: Partial<StatisticsSearch>) => void
}

/** Step 1: preset, stations, time range, resolution. */
export function StationTimeStep(props: Props) {
  const { search, onChange } = props
  const { t } = useTranslation('statistics')
  const { preset = 'basic' } = search
  const locked = { start: isLocked(search, 'start'), end: isLocked(search, 'end') }

  return (
    <>
      <div className={css.presets}>
        <SegmentedControl
          label={t('preset')}
          options={presetNames.map((name) => ({ value: name, label: t(`preset-${name}`) }))}
          value={preset}
          onChange={(name) => onChange(filtersOf(name, serverNow()))}
        />
      </div>
      <Columns wide>
        <Panel>
          <StationSection list={useStations()} {...props} />
        </Panel>
        <Panel>
          <RangeSection
            {...props}
            hint={locked.end ? t('set-by-preset') : locked.start ? t('start-set-by-preset') : null}
            locked={locked}
          />
          <Resolution {...props} />
        </Panel>
      </Columns>
    </>
  )
}

/** Initial number of units per period: ten for minutes. */
const initialCount = (unit: ResolutionUnit) => (unit === 'minute' ? 10 : 1)

function Resolution({ search, missing, onChange }: Props) {
  const { t } = useTranslation('statistics')
  const { number } = useFormat()
  const { statResolutionUnit: unit, statResolutionValue: count, dateTimeStart, dateTimeEnd } = search
  const locked = isLocked(search, 'resolution')
  const periods =
    unit && count && dateTimeStart && dateTimeEnd
      ? Math.ceil(estimatePeriods(new Date(dateTimeStart), new Date(dateTimeEnd), { unit, value: count }))
      : null
  return (
    <Section
      title={t('ui:resolution')}
      invalid={missing.resolution}
      hint={missing.resolution ? t('resolution-missing') : locked ? t('set-by-preset') : null}
    >
      <div className={css.resolution}>
        <NumberInput
          label={t('resolution-count')}
          value={count ?? ''}
          onChange={(value) => onChange({ statResolutionValue: Number(value) >= 1 ? Number(value) : undefined })}
          min={1}
          max={999_999}
          allowDecimal={false}
          allowNegative={false}
          disabled={locked}
          hideControls
        />
        <Select
          label={t('resolution-unit')}
          data={resolutionUnits.map((value) => ({ value, label: t(`unit-${value}`) }))}
          value={unit ?? null}
          allowDeselect={false}
          disabled={locked}
          onChange={(value) => {
            const selected = resolutionUnits.find((option) => option === value)
            if (selected) onChange({ statResolutionUnit: selected, statResolutionValue: initialCount(selected) })
          }}
        />
      </div>
      {periods !== null && <SectionNote>{t('periods', { count: periods, number: number(periods) })}</SectionNote>}
    </Section>
  )
}
