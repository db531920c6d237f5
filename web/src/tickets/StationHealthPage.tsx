import { useMediaQuery } from '@mantine/hooks'
import {
  availabilityReport,
  availabilityReports,
  type WireMonthAvailability,
  type WireStationHealth,
} from '@rogatka/contract/tickets-health.ts'
import { availabilityPages } from '@rogatka/domain/tickets/document.ts'
import { monthAt } from '@rogatka/domain/tickets/downtime.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { serverNow, toServerTime, useTicking } from '../core/clock.ts'
import { formatTime } from '../core/format.ts'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { ReportMenu } from '../core/frame/ReportMenu.tsx'
import { UpkeepTabs } from '../core/frame/UpkeepTabs.tsx'
import { useIsOlderThan } from '../core/useIsOlderThan.ts'
import { useListFailure } from '../core/useListFailure.ts'
import { useRight } from '../core/useSelf.ts'
import { useLocations } from '../locations/publicApi.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { LeftIcon, RightIcon } from '../ui/icons.tsx'
import { Loading } from '../ui/Loading.tsx'
import { StatusMark } from '../ui/StatusMark.tsx'
import css from './Health.module.css'
import { AbnormalList, HealthMatrix, type OnSelect } from './HealthMatrix.tsx'
import { HealthNews } from './HealthNews.tsx'
import { HealthPanel } from './HealthPanel.tsx'
import { HealthRules, HealthSettings } from './HealthRules.tsx'
import { keepOrder, shownCell } from './healthOrder.ts'
import { type HealthSearch, readHealthSearch } from './search.ts'
import { POLL_SECONDS, useAvailability, useStationHealth } from './useHealth.ts'
import { useHealthTexts } from './useHealthTexts.ts'
import { useTicketTexts } from './useTicketTexts.ts'

/** Without an answer for this long, values are shown as outdated. */
const STALE_MS = 60_000

type Props = {
  /** Further statistics of cameras, of other features. */
  cameras: ReactNode
}

/** The condition of all stations as a table, with their availability in a month. */
export function StationHealthPage({ cameras }: Props) {
  const { t } = useTranslation('tickets')
  const search = readHealthSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const { data, error, refetch, dataUpdatedAt } = useStationHealth()
  const { data: month, error: monthError } = useAvailability(search)
  const isStale = useIsOlderThan(dataUpdatedAt, STALE_MS) && data !== undefined
  useListFailure(t('health-failed'), error, data !== undefined)
  useListFailure(t('availability-failed'), monthError, month !== undefined)
  const change = (changes: HealthSearch) =>
    void navigate({ to: '/station-health', search: { ...search, ...changes }, replace: true })
  return (
    <PageLayout
      title={
        <>
          <UpkeepTabs withHeading />
          {data && <Checked at={dataUpdatedAt} isStale={isStale} />}
        </>
      }
      actions={<MonthActions search={search} month={month} onChange={change} />}
    >
      {!data && !error && <Loading label={t('loading-health')} skeleton={<Skeleton />} />}
      {!data && error && <ErrorBanner error={error} title={t('health-failed')} retry={() => void refetch()} />}
      {data?.length === 0 && <EmptyState title={t('no-stations')} />}
      {data && data.length > 0 && (
        <Stations stations={data} month={month} isStale={isStale} search={search} onChange={change} />
      )}
      {data && cameras}
    </PageLayout>
  )
}

/** When the values were read; after a minute without an answer their age. */
function Checked({ at, isStale }: { at: number; isStale: boolean }) {
  const { t } = useTranslation('tickets')
  const time = toServerTime(at)
  return (
    <span className={css.checked}>
      {isStale ? <Age at={time} /> : t('checked', { time: formatTime(time), seconds: POLL_SECONDS })}
    </span>
  )
}

function Age({ at }: { at: number }) {
  const { t } = useTranslation('tickets')
  const { duration } = useHealthTexts()
  // The texts change with the language only, which renders again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: stable while the language is
  const text = useCallback((now: number) => t('data-age', { age: duration(now - at) }), [at, t])
  const ref = useTicking(text)
  return (
    <b className={css.age}>
      <StatusMark status="attention" />
      <span ref={ref} />
    </b>
  )
}

type StationsProps = {
  stations: readonly WireStationHealth[]
  month: WireMonthAvailability | undefined
  isStale: boolean
  search: HealthSearch
  onChange: (changes: HealthSearch) => void
}

function Stations({ stations, month, isStale, search, onChange }: StationsProps) {
  const isPhone = useMediaQuery('(max-width: 600px)', false, { getInitialValueInEffect: false })
  const isAdministrator = useRight('UsersAdmin')
  // The order that was shown when the pointer or the focus came; null: that of the server.
  const [former, setFormer] = useState<readonly number[] | null>(null)
  const ordered = keepOrder(stations, former)
  const [opened, setOpened] = useState<string | null>(null)
  const { station, check } = search
  const shown = shownCell(ordered, station !== undefined && check ? { station, kind: check } : null)
  const select: OnSelect = (station, check) => {
    onChange({ station, check })
    setOpened(`${station} ${check}`)
  }
  const close = () => {
    const cell = shown && `${shown.station.location.id} ${shown.cell.kind}`
    onChange({ station: undefined, check: undefined })
    setOpened(null)
    if (cell) document.querySelector<HTMLElement>(`[data-cell="${cell}"]`)?.focus()
  }
  return (
    <div className={css.page}>
      <HealthNews stations={stations} />
      <Summary stations={stations} month={month} />
      {isPhone ? (
        <AbnormalList stations={ordered} isStale={isStale} onSelect={select} />
      ) : (
        <HealthMatrix
          stations={ordered}
          month={month}
          shown={shown}
          isStale={isStale}
          onBusy={(isBusy) =>
            setFormer((before) => (isBusy ? (before ?? ordered.map(({ location }) => location.id)) : null))
          }
          onSelect={select}
        />
      )}
      <div className={css.lower}>
        {shown && <HealthPanel shown={shown} opened={opened} onClose={close} />}
        <aside>
          <HealthRules />
          {isAdministrator && <HealthSettings />}
        </aside>
      </div>
    </div>
  )
}

type SummaryProps = Pick<StationsProps, 'stations' | 'month'>

/** How many stations fail, need attention and are normal, and the availability of all. */
function Summary({ stations, month }: SummaryProps) {
  const { t } = useTranslation('tickets')
  const { percent } = useHealthTexts()
  const count = (level: WireStationHealth['level']) => stations.filter((station) => station.level === level).length
  const [failures, attention] = [count('failure'), count('attention')]
  return (
    <section className={css.summary} aria-label={t('summary')}>
      <span className={css.sum} data-level={failures > 0 ? 'failure' : 'normal'}>
        {failures > 0 && <StatusMark status="malfunction" />}
        <b className={css.figure}>{failures}</b> {t('sum-failures', { count: failures })}
      </span>
      <span className={css.sum} data-level={attention > 0 ? 'attention' : 'normal'}>
        {attention > 0 && <StatusMark status="attention" />}
        <b className={css.figure}>{attention}</b> {t('level-attention')}
      </span>
      <span className={css.sum}>
        <b className={css.figure}>{count('normal')}</b> {t('state-well')}
      </span>
      {month && (
        <span className={`${css.sum} ${css.total}`}>
          {t('availability-total')}{' '}
          <b className={css.figure}>
            {percent(month.total.percent)}
            {month.total.percent !== null && ' %'}
          </b>
          {month.contractPercent !== null && ` ${t('contract', { percent: percent(month.contractPercent) })}`}
        </span>
      )}
    </section>
  )
}

type MonthProps = Pick<StationsProps, 'search' | 'month' | 'onChange'>

/** Selects the month of the availability, and downloads it; without an answer that of the URL. */
function MonthActions({ search, month: answer, onChange }: MonthProps) {
  const { t } = useTranslation('tickets')
  const texts = useTicketTexts()
  const now = monthAt(new Date(serverNow()))
  const { year = now.year, month = now.month } = answer ?? search
  const shown = { year, month }
  const since = answer?.watchedSince ? monthAt(new Date(answer.watchedSince)) : now
  const monthNumberOf = (one: { year: number; month: number }) => one.year * 12 + one.month - 1
  const goTo = (monthNumber: number) => {
    const target = { year: Math.floor(monthNumber / 12), month: (monthNumber % 12) + 1 }
    const isNow = target.year === now.year && target.month === now.month
    onChange(isNow ? { year: undefined, month: undefined } : target)
  }
  const at = monthNumberOf(shown)
  // Unknown without an answer.
  const first = answer ? monthNumberOf(since) : Number.NEGATIVE_INFINITY
  const name = `${texts.month(month)} ${year}`
  return (
    <>
      <span className={css.month}>
        <IconButton aria-label={t('month-before')} disabled={at <= first} onClick={() => goTo(at - 1)}>
          <LeftIcon />
        </IconButton>
        <span aria-live="polite">{name}</span>
        <IconButton aria-label={t('month-after')} disabled={at >= monthNumberOf(now)} onClick={() => goTo(at + 1)}>
          <RightIcon />
        </IconButton>
      </span>
      <ReportMenu
        group="availability"
        label={t('availability-download')}
        types={availabilityReports}
        nameOf={(type) => t(`ui:download-${type}`)}
        failure={t('report-failed')}
        sizeOf={(type) => (answer ? sizeOf(type, answer) : null)}
        requestLink={(reportType, signal) => call(availabilityReport, { query: { ...shown, reportType }, signal })}
      />
    </>
  )
}

/** Pages of the document, or rows of the table. */
const sizeOf = (type: (typeof availabilityReports)[number], month: WireMonthAvailability) =>
  type === 'pdf' ? { pages: availabilityPages(month) } : { rows: month.stations.length }

/** The names of the stations while their values load. */
function Skeleton() {
  const { data } = useLocations()
  return (
    <div className={css.skeleton}>
      {(data ?? []).map(({ id, shortName }) => (
        <div key={id}>
          <span>{shortName}</span>
          <i className={css.bone} />
        </div>
      ))}
    </div>
  )
}
