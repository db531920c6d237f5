import { formatCountdown } from '@rogatka/domain/current/countdown.ts'
import { severityOf } from '@rogatka/domain/overview/roads.ts'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { serverNow, useTicking } from '../core/clock.ts'
import { formatTime, MISSING, useFormat } from '../core/format.ts'
import { INACTIVITY_MS, idleMs, useInactivityWarning } from '../core/inactivity.ts'
import { formatNoDataTime } from '../core/noDataTime.ts'
import { fullName, type OverviewRow, orderRows } from '../overview/publicApi.ts'
import { StatusMark } from '../ui/StatusMark.tsx'
import type { DataAge } from './useDataAge.ts'
import css from './WallFoot.module.css'

/** With more stations only the abnormal ones are named. */
const MAX_NAMED = 8

type Props = {
  stations: readonly OverviewRow[] | undefined
  /** The state of the stations is not the current one. */
  isStale: boolean
  /** Vehicles on their way that have no place in the list. */
  more: number
  age: DataAge
  isLoading: boolean
  /** Alarms of hits are not heard, as the browser forbids sound. */
  isSilenced: boolean
}

/** State of the stations, time, and age of the data. */
export function WallFoot({ stations = [], isStale, more, age, isLoading, isSilenced }: Props) {
  const { t } = useTranslation('wall')
  const { number } = useFormat()
  // Of a user who looks at the screen; nothing on it extends the session.
  const isEnding = useInactivityWarning()
  const ageText = useCallback(() => {
    if (isEnding) return t('sign-out', { time: formatCountdown((INACTIVITY_MS - idleMs()) / 1_000) })
    return isLoading ? t('loading') : t('age', { seconds: Math.floor(age.now() / 1_000) })
  }, [t, isEnding, isLoading, age.now])
  const isLost = age.state === 'lost'
  const lostSince = useMemo(() => (isLost ? serverNow() - age.now() : null), [isLost, age.now])
  return (
    <footer className={isLost ? `${css.foot} ${css.lost}` : css.foot}>
      {lostSince === null ? (
        <>
          <Stations rows={stations} isStale={isStale} />
          {more > 0 && <b className={css.more}>{t('more', { shown: number(more) })}</b>}
        </>
      ) : (
        <b className={css.noData}>{t('no-data-since', { time: formatTime(lostSince) })}</b>
      )}
      {isSilenced && (
        <span className={css.silenced}>
          <StatusMark status="attention" />
          {t('sound-forbidden')}
        </span>
      )}
      <time className={css.clock} ref={useTicking(formatTime)} />
      {!isLost && (
        <span className={css.age}>
          {(age.state === 'old' || isEnding) && <StatusMark status="attention" />}
          <Ticking text={ageText} />
        </span>
      )}
    </footer>
  )
}

const Ticking = ({ text }: { text: () => string }) => <span ref={useTicking(text)} />

/** Up to 8 stations, from 9 on how many are in order and the others by name. What does not fit is counted. */
function Stations({ rows, isStale }: { rows: readonly OverviewRow[]; isStale: boolean }) {
  const { t } = useTranslation('wall')
  const { number } = useFormat()
  const list = useRef<HTMLUListElement>(null)
  const [hidden, setHidden] = useState(0)
  const measured = useRef<{ rows: typeof rows; width: number } | null>(null)
  const measure = useCallback(() => {
    const items = [...(list.current?.children ?? [])] as HTMLElement[]
    const count = items.filter(({ offsetTop }) => offsetTop > (items[0]?.offsetTop ?? 0)).length
    const width = window.innerWidth
    const isSame = measured.current?.rows === rows && measured.current.width === width
    measured.current = { rows, width }
    // The number takes room itself, one more than another: for the same stations it only grows, or it would never come to rest.
    setHidden((before) => (isSame ? Math.max(before, count) : count))
  }, [rows])
  useLayoutEffect(measure)
  useEffect(() => {
    if (!list.current) return
    const observer = new ResizeObserver(measure)
    observer.observe(list.current)
    return () => observer.disconnect()
  }, [measure])
  const isSummary = rows.length > MAX_NAMED
  const inOrder = rows.filter(isInOrder).length
  // If some have no place, these are not the abnormal ones.
  const ordered = orderRows(rows, isSummary || hidden > 0)
  const named = isSummary ? ordered.filter((row) => !isInOrder(row)) : ordered
  return (
    <>
      {isSummary && (
        <span className={css.inOrder}>{t('in-order', { working: number(inOrder), total: number(rows.length) })}</span>
      )}
      <ul className={css.stations} ref={list} aria-label={t('ui:stations')}>
        {named.map((row) => (
          <Station key={row.id} row={row} isStale={isStale} />
        ))}
      </ul>
      {hidden > 0 && <span className={css.hidden}>{t('more-stations', { count: hidden })}</span>}
    </>
  )
}

const isInOrder = ({ condition }: OverviewRow): boolean =>
  severityOf(condition) === null && condition.lastMessageAt !== null

function Station({ row, isStale }: { row: OverviewRow; isStale: boolean }) {
  const { t } = useTranslation('wall')
  const { number } = useFormat()
  const { silentSince, lastMessageAt, perHour } = row.condition
  const severity = severityOf(row.condition)
  const name = fullName(row)
  if (isStale || (lastMessageAt === null && severity === null))
    return (
      <li>
        <StatusMark status={isStale ? 'unknown' : 'unavailable'} />
        <span>{name}</span> <b>{MISSING}</b>
      </li>
    )
  if (severity === 'bad')
    return (
      <li className={css.bad}>
        <StatusMark status="malfunction" />
        <span>{name}</span>{' '}
        <b>
          {silentSince
            ? t('silent', { duration: formatNoDataTime(serverNow() - Date.parse(silentSince)) })
            : t('sign-fault')}
        </b>
      </li>
    )
  return (
    <li>
      {severity === 'attention' ? (
        <StatusMark status="attention" label={t(`overview:traffic-${perHour.unusual ?? 'usual'}`)} />
      ) : (
        <StatusMark status="working" />
      )}
      <span>{name}</span> <b>{number(perHour.vehicles)}</b>
    </li>
  )
}
