import { Button, Select, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { WireInspection } from '@rogatka/contract/inspections.ts'
import type { WireQueueTimes } from '@rogatka/contract/inspections-queue.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { toWarsaw } from '@rogatka/domain/core/warsaw.ts'
import { displayPlate } from '@rogatka/domain/vehicle/plate.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { serverNow } from '../core/clock.ts'
import { formatClock, useFormat } from '../core/format.ts'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { useStore } from '../core/store.ts'
import { useRight, useSelf } from '../core/useSelf.ts'
import { useTitle } from '../core/useTitle.ts'
import { useLocations } from '../locations/publicApi.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { ScaleIcon } from '../ui/icons.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Plate } from '../ui/vehicle/Plate.tsx'
import css from './Queue.module.css'
import { QueueCard } from './QueueCard.tsx'
import { keepOrder, orderQueue } from './queue.ts'
import { queueStation, selectQueueStation } from './queueStation.ts'
import { countQueue, NO_TIMES, queueTimesQuery, useQueueTime } from './queueTimes.ts'
import { RandomInspection } from './RandomInspection.tsx'
import { UnsentLine } from './UnsentLine.tsx'
import { latestOf, useClosedSince, useQueue } from './useInspections.ts'

const NONE: readonly WireInspection[] = []
const STATUS_INTERVAL_MS = 10_000

type Props = {
  /** The live list of stations, for users who may see it. */
  live: (locations: number[]) => ReactNode
}

const startOfToday = () => {
  const now = serverNow()
  return new Date(now - (toWarsaw(now) % DAY_MS)).toISOString()
}

/** Vehicles that are announced for an inspection, or being inspected; on a desk beside the live list. */
export function InspectionsPage({ live }: Props) {
  const { t } = useTranslation('inspections')
  useTitle(t('core:nav-inspections'))
  const { data: locations } = useLocations()
  const { data: self } = useSelf()
  const stored = useStore(queueStation)
  const isPhone = useMediaQuery('(max-width: 600px)', false, { getInitialValueInEffect: false })
  const isAnonymised = useRight('Anonymization')
  const hasLive = useRight('CurrentMeasurements') && !isPhone
  const station = locations?.find(({ id }) => id === stored)
  const locationId = station?.id ?? null
  const [since] = useState(startOfToday)
  const queue = useQueue(locationId)
  const inspections = queue.data?.content ?? NONE
  const { data: times = NO_TIMES, isPending } = useQuery(queueTimesQuery(locationId))
  const now = useQueueTime(times)
  const closed = useClosedSince(since, locationId)
  const listed = station ? [station.id] : (locations ?? []).map(({ id }) => id)
  return (
    <PageLayout
      title={
        <>
          <h1 className={css.title}>{t('core:nav-inspections')}</h1>
          <Select
            aria-label={t('ui:station')}
            data={[
              { value: '', label: t('all-stations') },
              ...(locations ?? []).map(({ id, shortName }) => ({ value: String(id), label: shortName })),
            ]}
            value={station ? String(station.id) : ''}
            allowDeselect={false}
            onChange={(value) => selectQueueStation(Number(value) || null)}
          />
        </>
      }
      actions={
        <>
          {/* The menu with this link needs the right to the management, too. */}
          <Button
            component={Link}
            to="/scale-certificates"
            variant="subtle"
            leftSection={<ScaleIcon />}
            aria-label={t('core:nav-certificates')}
          >
            <span className={css.wide}>{t('core:nav-certificates')}</span>
          </Button>
          {!isAnonymised && <RandomInspection station={station} locations={locations ?? []} />}
        </>
      }
    >
      <div className={hasLive ? css.page : `${css.page} ${css.alone}`} data-toasts="bar">
        {/* First, so that it is reached without passing the cards of the live list. */}
        <div className={css.queue}>
          <UnsentLine />
          <Counts
            times={times}
            now={now}
            isLoading={isPending}
            closed={closed.data?.content ?? []}
            closedCount={closed.data?.totalCount ?? 0}
          />
          {queue.error && (
            <ErrorBanner error={queue.error} title={t('queue-failed')} retry={() => void queue.refetch()} />
          )}
          {!queue.data && !queue.error && <Loading label={t('loading')} skeleton={<div className={css.skeleton} />} />}
          {queue.data && <Queue inspections={inspections} userId={self?.id ?? 0} now={now} showsStation={!station} />}
          {queue.data && queue.data.content.length === 0 && (
            <EmptyState title={t('queue-empty')} hint={t('queue-empty-hint')} />
          )}
          <Latest inspections={latestOf(closed.data?.content ?? [])} />
        </div>
        {hasLive && listed.length > 0 && <div className={css.live}>{live(listed)}</div>}
      </div>
    </PageLayout>
  )
}

type CountsProps = {
  times: WireQueueTimes
  /** Server time, ms since the epoch. */
  now: number
  /** The times are not known yet. */
  isLoading: boolean
  closed: readonly WireInspection[]
  closedCount: number
}

/** How many are coming, on the scale and done today; announced at most every 10 s. */
function Counts({ times, now, isLoading, closed, closedCount }: CountsProps) {
  const { t } = useTranslation('inspections')
  const { coming, taken } = countQueue(times, now)
  const weighed = closed.filter(({ confirmed }) => confirmed !== null)
  const hits = weighed.filter(({ confirmed }) => confirmed).length
  const sentence = t('queue-said', { coming, taken })
  const [statusText, setStatusText] = useState('')
  const latest = useRef(sentence)
  useEffect(() => {
    latest.current = sentence
  })
  useEffect(() => {
    if (isLoading) return
    setStatusText(latest.current)
    const timer = setInterval(() => setStatusText(latest.current), STATUS_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [isLoading])
  return (
    <p className={css.counts}>
      <span>
        <b>{coming}</b> {t('coming', { count: coming })}
      </span>
      <span>
        <b>{taken}</b> {t('on-the-scale')}
      </span>
      <span>
        {t('today')} <b>{closedCount}</b>
        {weighed.length > 0 && (
          <>
            , {t('confirmed-short')} <b>{t('of', { count: hits, of: weighed.length })}</b>
          </>
        )}
      </span>
      <VisuallyHidden role="status">{statusText}</VisuallyHidden>
    </p>
  )
}

type QueueProps = {
  inspections: readonly WireInspection[]
  userId: number
  now: number
  showsStation: boolean
}

/** The cards; their order changes only while none is in use. */
function Queue({ inspections, userId, now, showsStation }: QueueProps) {
  const { t } = useTranslation('inspections')
  const shown = useRef<number[]>([])
  const [isInUse, setInUse] = useState(false)
  const ordered = orderQueue(inspections, userId, now)
  const cards = isInUse ? keepOrder(shown.current, ordered) : ordered
  useEffect(() => {
    shown.current = cards.map(({ id }) => id)
  })
  if (cards.length === 0) return null
  return (
    <ul
      className={css.list}
      aria-label={t('queue')}
      onPointerEnter={() => setInUse(true)}
      onPointerLeave={() => setInUse(false)}
      onFocus={() => setInUse(true)}
      onBlur={() => setInUse(false)}
    >
      {cards.map((inspection) => (
        <li key={inspection.id}>
          <QueueCard inspection={inspection} userId={userId} showsStation={showsStation} />
        </li>
      ))}
    </ul>
  )
}

/** The inspections that were closed last. */
function Latest({ inspections }: { inspections: readonly WireInspection[] }) {
  const { t } = useTranslation('inspections')
  const { excess } = useFormat()
  if (inspections.length === 0) return null
  return (
    <section className={css.latest}>
      <h2>{t('latest')}</h2>
      <ul>
        {inspections.map(({ id, number, wim, plateLpr, nationality, closed, results, static: weighing }) => (
          <li key={id}>
            <time>{formatClock(closed?.at)}</time>
            {wim || plateLpr ? (
              <Plate plate={plateLpr} nationality={nationality} size="s" unreadable={t('vehicle:unreadable-plate')} />
            ) : (
              <b>{number}</b>
            )}
            <span>
              {[results.map((result) => t(`result-${result}`)).join(', '), excess(weighing?.excesses[0]?.percent)]
                .filter((text) => text && text !== '–')
                .join(', ')}
            </span>
            <Link
              to="/inspections/$id"
              params={{ id }}
              aria-label={t('open-of', {
                plate: plateLpr ? displayPlate(plateLpr, nationality) : number,
              })}
            >
              {t('open')}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
