import { type EntryState, entryStates } from '@rogatka/contract/options.ts'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../core/format.ts'
import { SegmentedControl } from '../ui/SegmentedControl.tsx'

type Props = {
  /** Undefined: all entries. */
  state: EntryState | undefined
  /** Undefined while loading. */
  counts: Record<EntryState | 'all', number> | undefined
  onState: (state: EntryState | undefined) => void
}

/** Filter of entries by their end, with the number of each. */
export function StateFilter({ state, counts, onState }: Props) {
  const { t } = useTranslation('wanted')
  const { number } = useFormat()
  return (
    <SegmentedControl
      label={t('expires')}
      options={(['all', ...entryStates] as const).map((value) => ({
        value,
        label: [t(`state-${value}`), counts && number(counts[value])].filter(Boolean).join(' '),
      }))}
      value={state ?? 'all'}
      onChange={(value) => onState(value === 'all' ? undefined : value)}
    />
  )
}
