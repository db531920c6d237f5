import { useTranslation } from 'react-i18next'
import { useFormat } from '../core/format.ts'
import { EraseIcon } from '../ui/icons.tsx'
import css from './Weighing.module.css'
import { canLift, type EntryKey, nextRow, selectRow, type WeightEntry } from './weightEntry.ts'

type Props = {
  entry: WeightEntry
  onChange: (change: (before: WeightEntry) => WeightEntry) => void
  onPress: (key: EntryKey) => void
  /** The current axle is left out. */
  onLift: () => void
  /** The last row is filled. */
  isComplete: boolean
  onNext: () => void
}

const DIGITS: readonly EntryKey[] = ['1', '2', '3', '4', '5', '6', '7', '8', '9']

/** Keys of the weighing, so that no keyboard of the phone hides the rows; "next" never moves. */
export function Keypad({ entry, onChange, onPress, onLift, isComplete, onNext }: Props) {
  const { t } = useTranslation('inspections')
  const { decimal } = useFormat()
  const press = (key: EntryKey) => () => onPress(key)
  const before = entry.current - 1
  const next = nextRow(entry).current
  const rowName = (at: number) => t(entry.mode === 'groups' ? 'group' : 'axle', { number: at + 1 })
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of keys, not of fields
    <div
      className={css.pad}
      role="group"
      aria-label={t('keypad')}
      // A key of the keyboard must not press the last one again.
      onMouseDown={(event) => event.preventDefault()}
    >
      {DIGITS.map((digit) => (
        <button key={digit} type="button" onClick={press(digit)}>
          {digit}
        </button>
      ))}
      <button type="button" className={`${css.function} ${css.comma}`} onClick={press(',')} aria-label={t('comma')}>
        {decimal}
      </button>
      <button type="button" className={css.zero} onClick={press('0')}>
        0
      </button>
      <button type="button" className={`${css.function} ${css.lift}`} disabled={!canLift(entry)} onClick={onLift}>
        {t('without-axle')}
      </button>
      <button
        type="button"
        className={`${css.function} ${css.erase}`}
        onClick={press('back')}
        aria-label={t('erase-digit')}
      >
        <EraseIcon size={20} />
      </button>
      <button
        type="button"
        className={`${css.function} ${css.previous}`}
        disabled={before < 0}
        {...(before < 0 && { 'aria-label': t('key-row-up') })}
        onClick={() => onChange((it) => selectRow(it, before))}
      >
        {before < 0 ? '' : `${rowName(before)} ↑`}
      </button>
      <button type="button" className={css.next} onClick={onNext}>
        {t('next')}
        <span>
          {isComplete ? t('to-result') : next === entry.current || entry.mode === 'gross' ? '' : rowName(next)}
        </span>
      </button>
    </div>
  )
}
