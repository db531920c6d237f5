import { VisuallyHidden } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../core/format.ts'
import { AxleFromAbove } from './AxleFromAbove.tsx'
import type { EntryLine } from './entryEvaluation.ts'
import { useInspectionTexts } from './texts.ts'
import type { InspectionWork } from './useInspectionWork.ts'
import css from './Weighing.module.css'
import { boundsOf, isOutOfBounds, rowsOf, selectRow } from './weightEntry.ts'

type Props = {
  work: InspectionWork
  /** The focus goes to the current row at first. */
  takesFocus: boolean
  /** Enter on the current row. */
  onNext: () => void
}

/** The rows of the weighing: axles, groups or the whole vehicle, with limit, status and, once typed, the WIM figure. */
export function WeighingRows({ work, takesFocus, onNext }: Props) {
  const { entry, changeEntry, evaluation, measured, scale } = work
  const { t } = useTranslation('inspections')
  const { tonnes, decimal } = useFormat()
  const { axlesText, liftedText, withUnit } = useInspectionTexts()
  const rows = rowsOf(entry)
  const { missingGaps, lifted } = evaluation
  const weighed = rows.filter(({ isLifted }) => !isLifted)
  const list = useCurrentRowFocus(entry.current, takesFocus)
  let axle = 0
  return (
    <>
      <ol ref={list} className={css.rows} data-mode={entry.mode} aria-label={t(`mode-${entry.mode}`)}>
        {rows.map((row, at) => {
          const line = evaluation.lines[at] as EntryLine
          const first = axle + 1
          axle += row.axles
          const numbers = Array.from({ length: row.axles }, (_, offset) => first + offset)
          const isCurrent = at === entry.current
          const name =
            entry.mode === 'gross'
              ? t('gross')
              : t(row.axles > 1 ? 'group-number' : 'axle-number', { axles: axlesText(numbers) })
          const error = isOutOfBounds(entry, row) && !isCurrent
          const { min, max } = boundsOf(entry, row)
          return (
            <li key={`${entry.mode}-${first}-${row.axles}`}>
              <button
                type="button"
                className={css.row}
                data-status={line.status}
                aria-current={isCurrent ? 'step' : undefined}
                // The keys of the weighing, such as Enter, must not act on the row.
                onMouseDown={(event) => event.preventDefault()}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter' || !isCurrent) return
                  event.preventDefault()
                  onNext()
                }}
                onClick={() => changeEntry((it) => selectRow(it, at))}
              >
                <AxleFromAbove axles={row.axles} isTwin={isTwin(measured, numbers)} isOver={line.status === 'over'} />
                <span className={css.number}>{row.axles > 0 && axlesText(numbers)}</span>
                <span className={css.value}>
                  {row.isLifted ? t('lifted') : row.text.replace(',', decimal) || (isCurrent ? '' : '–')}
                  {isCurrent && <i className={css.caret} />}
                  {(row.text || isCurrent) && <small>t</small>}
                </span>
                <span className={css.limit}>
                  {line.limit !== null && <span>{t('limit', { value: tonnes(line.limit) })}</span>}
                  <Difference line={line} />
                </span>
                <span className={css.verdict}>
                  {error ? (
                    <b className={css.wrong}>{t('bounds', { min: tonnes(min), max: withUnit(max) })}</b>
                  ) : (
                    <EntryLineStatus line={line} />
                  )}
                </span>
                <VisuallyHidden>{name}</VisuallyHidden>
              </button>
            </li>
          )
        })}
      </ol>
      {evaluation.groups.map((group) => {
        const missing = group.axles.filter((number) => evaluation.lines[number - 1]?.load === null)
        return (
          <p key={group.axles[0]} className={css.group}>
            {t('group-number', { axles: axlesText(group.axles) })}: <b>{tonnes(group.load)}</b>{' '}
            {group.limit !== null && t('of-limit', { value: withUnit(group.limit) })}
            {missing.length > 0 && ` · ${t('missing-axle', { axles: missing.join(', ') })}`}
          </p>
        )
      })}
      <p className={css.total}>
        <b data-status={evaluation.gross.status}>{tonnes(evaluation.gross.load)}</b>
        <span>
          {entry.mode === 'gross' ? 't' : t('total-of', { count: evaluation.axles })}
          {evaluation.gross.limit !== null && `, ${t('limit', { value: tonnes(evaluation.gross.limit) })}`}
        </span>
        {scale && <span className={css.accuracy}>{t('accuracy', { percent: scale.accuracyPercent })}</span>}
      </p>
      {lifted.length > 0 && <p className={css.group}>{liftedText({ axles: weighed, lifted })}</p>}
      {missingGaps.length > 0 && evaluation.areLimitsKnown && (
        <p className={css.group}>
          {t('missing-gaps', { gaps: missingGaps.map(([from, to]) => `${from}–${to}`).join(', ') })}
        </p>
      )}
    </>
  )
}

/** Keeps the focus, once it is in the rows, on the current one. */
function useCurrentRowFocus(current: number, takesFocus: boolean) {
  const list = useRef<HTMLOListElement>(null)
  const takes = useRef(takesFocus)
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the row
  useEffect(() => {
    // On a phone the rows scroll above the keypad.
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
    if (!takes.current && !list.current?.contains(document.activeElement)) return
    takes.current = false
    list.current?.querySelector<HTMLElement>('[aria-current]')?.focus()
  }, [current])
  return list
}

/** Twin wheels: as drawn for an axle that carries more than a steering axle may. */
const isTwin = (measured: InspectionWork['measured'], [number]: readonly number[]): boolean =>
  number === 2 && (measured?.axles?.length ?? 0) > 2

function Difference({ line }: { line: EntryLine }) {
  const { t } = useTranslation('inspections')
  const { difference } = useInspectionTexts()
  return line.difference === null ? null : <span>{t('wim-difference', { percent: difference(line.difference) })}</span>
}

export function EntryLineStatus({ line: { status, percent } }: { line: EntryLine }) {
  const { t } = useTranslation('inspections')
  const { excess } = useFormat()
  if (status === 'unknown') return null
  if (status === 'over') return <b className={css.over}>{excess(percent)}</b>
  return <span className={status === 'accuracy' ? css.near : undefined}>{t(`status-${status}`)}</span>
}
