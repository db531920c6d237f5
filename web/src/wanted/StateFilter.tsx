import { type PlateState, plateStates } from '@rogatka/contract/wanted.ts'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../core/format.ts'
import { SegmentedControl } from '../ui/SegmentedControl.tsx'

type Props = {
  /** Undefined: all entries. */
  state: PlateState | undefined
  /** Undefined while loading. */
  counts: Record<PlateState | 'all', number> | undefined
  onState: (state: PlateState | undefined) => void
}

/** Filter of entries by their end, with the number of each. */
export function StateFilter({ state, counts, onState }: Props) {
  const { t } = useTranslation('wanted')
  const { number } = useFormat()
  return (
    <SegmentedControl
      label={t('expires')}
      options={(['all', ...plateStates] as const).map((value) => ({
        value,
        label: [t(`state-${value}`), counts && number(counts[value])].filter(Boolean).join(' '),
      }))}
      value={state ?? 'all'}
      onChange={(value) => onState(value === 'all' ? undefined : value)}
    />
  )
}
