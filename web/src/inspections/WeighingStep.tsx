import { VisuallyHidden } from '@mantine/core'
import type { WireInspection } from '@rogatka/contract/inspections.ts'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../core/format.ts'
import { useShortcuts } from '../core/shortcuts.ts'
import { SegmentedControl } from '../ui/SegmentedControl.tsx'
import { isQuestionable } from './entryEvaluation.ts'
import { Keypad } from './Keypad.tsx'
import { ScaleLine } from './ScaleLine.tsx'
import { useInspectionTexts } from './texts.ts'
import type { InspectionWork } from './useInspectionWork.ts'
import { VehicleLine } from './VehicleLine.tsx'
import { VerdictLine } from './VerdictLine.tsx'
import css from './Weighing.module.css'
import { WeighingRows } from './WeighingRows.tsx'
import {
  addAxle,
  boundsOf,
  canLift,
  type EntryKey,
  type EntryMode,
  exceededBoundOf,
  isComplete,
  isOutOfBounds,
  isTooLong,
  liftAxle,
  modesOf,
  nextRow,
  pressKey,
  rowsOf,
  selectMode,
  selectRow,
} from './weightEntry.ts'

const KEYS = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', ','] as const

type Props = {
  inspection: WireInspection
  work: InspectionWork
  /** All weights are entered and sent. */
  onDone: () => void
  /** The focus goes to the first row. */
  takesFocus?: boolean
  /** Above the keypad. */
  children?: ReactNode
}

/** Entry of the static weights, by keypad or keyboard. */
export function WeighingStep({ inspection, work, onDone, takesFocus = false, children }: Props) {
  const { t } = useTranslation('inspections')
  const { loadName, withUnit } = useInspectionTexts()
  const { excess, number, tonnes } = useFormat()
  const { entry, changeEntry, evaluation, questioned, markQuestioned, scale } = work
  const [question, setQuestion] = useState<number | null>(null)
  const [statusText, setStatusText] = useState('')
  /** The last key was not taken: a figure that is out of its bounds. */
  const [isRefused, setRefused] = useState(false)
  const complete = isComplete(entry)
  const rowName = (at: number) =>
    entry.mode === 'gross' ? t('gross') : t(entry.mode === 'groups' ? 'group' : 'axle', { number: at + 1 })

  const current = rowsOf(entry)[entry.current]
  const isOut = current !== undefined && isOutOfBounds(entry, current)
  const next = () => {
    setRefused(isOut)
    const line = evaluation.lines[entry.current]
    const asks = entry.mode === 'axles' && line !== undefined && isQuestionable(line)
    const isNew = asks && !questioned.includes(entry.current)
    setQuestion(isNew ? entry.current : null)
    if (isNew) markQuestioned(entry.current)
    const moved = nextRow(entry)
    if (complete && scale) {
      // A question that nobody has seen yet does not block, but is shown.
      if (!isNew && work.finishWeighing()) onDone()
      return
    }
    changeEntry(nextRow)
    if (line?.load != null)
      setStatusText(
        [
          `${rowName(entry.current)}, ${withUnit(line.load)}`,
          line.percent !== null && t('over-by', { percent: excess(line.percent).replace('+', '') }),
          rowName(moved.current),
        ]
          .filter(Boolean)
          .join('. '),
      )
  }
  const lift = () => {
    if (!canLift(entry)) return
    setStatusText(`${rowName(entry.current)}: ${t('lifted')}. ${rowName(liftAxle(entry).current)}`)
    changeEntry(liftAxle)
  }
  const press = (key: EntryKey) => {
    setRefused(isTooLong(entry, key))
    changeEntry((it) => pressKey(it, key))
  }
  useShortcuts([
    ...KEYS.map((key) => ({ key, label: t('key-digits'), run: () => press(key) })),
    { key: '.', label: t('key-digits'), run: () => press(',') },
    { key: 'Backspace', label: t('erase-digit'), run: () => press('back') },
    { key: 'Enter', label: t('next'), run: next },
    { key: '-', label: t('without-axle'), run: lift },
    { key: 'ArrowUp', label: t('key-row-up'), run: () => changeEntry((it) => selectRow(it, it.current - 1)) },
    { key: 'ArrowDown', label: t('key-row-down'), run: () => changeEntry((it) => selectRow(it, it.current + 1)) },
  ])
  // Another figure is typed: the question has been seen.
  useEffect(() => {
    if (entry.current !== question && entry.rows[entry.mode][entry.current]?.text) setQuestion(null)
  }, [entry, question])
  const exceededBound = exceededBoundOf(entry)
  const bounds = current && boundsOf(entry, current)
  const boundsErrorText = () => {
    if (exceededBound)
      return t(exceededBound.isSum ? 'largest-sum' : 'largest', { value: `${number(exceededBound.max / 1000)}\u00a0t` })
    if (!isRefused || !bounds) return null
    return isOut
      ? t('bounds', { min: tonnes(bounds.min), max: withUnit(bounds.max) })
      : t('largest', { value: `${number(bounds.max / 1000)}\u00a0t` })
  }
  const errorText = boundsErrorText()
  const asked = question === null ? undefined : evaluation.lines[question]
  return (
    <section className={css.step} aria-label={t('weighing')}>
      <ScaleLine work={work} />
      <div className={css.modes}>
        <SegmentedControl<EntryMode>
          label={t('mode')}
          value={entry.mode}
          onChange={(mode) => changeEntry((it) => selectMode(it, mode))}
          options={modesOf(entry).map((value) => ({ value, label: t(`mode-${value}`) }))}
          wide
        />
      </div>
      <div className={css.scrolled}>
        <WeighingRows work={work} takesFocus={takesFocus} onNext={next} />
        <div className={css.vehicle}>
          {entry.mode === 'axles' && inspection.wim === null && (
            <button type="button" className={css.addAxle} onClick={() => changeEntry(addAxle)}>
              {t('add-axle')}
            </button>
          )}
          <VehicleLine work={work} />
        </div>
      </div>
      <div className={css.said} {...(evaluation.excesses.length > 1 && { tabIndex: 0 })}>
        {errorText !== null ? (
          <p className={css.fault} role="alert">
            {errorText}
          </p>
        ) : question !== null && asked?.load != null ? (
          <div className={css.question} role="status">
            <b>{t('check', { value: withUnit(asked.load) })}</b>
            <button
              type="button"
              className={css.addAxle}
              onClick={() => {
                setQuestion(null)
                changeEntry((it) => selectRow(it, question))
              }}
            >
              {t('correct-axle', { number: question + 1 })}
            </button>
          </div>
        ) : work.verdict.kind === 'limits-unknown' ? (
          <VerdictLine kind="open">{t('limits-unknown')}</VerdictLine>
        ) : (
          evaluation.excesses.length > 0 && (
            <VerdictLine kind="over">
              <b>{t('certain')}</b>{' '}
              {evaluation.excesses
                .map((it) => t('over-limit', { load: loadName(it), percent: excess(it.percent).replace('+', '') }))
                .join('; ')}
            </VerdictLine>
          )
        )}
      </div>
      <VisuallyHidden role="status">{statusText}</VisuallyHidden>
      {complete && !scale && (
        <p className={css.invalidScale} role="alert">
          {t('choose-scale')}
        </p>
      )}
      <div className={css.foot}>
        {children}
        <Keypad
          entry={entry}
          onChange={changeEntry}
          onPress={press}
          onLift={lift}
          isComplete={complete}
          onNext={next}
        />
      </div>
    </section>
  )
}
