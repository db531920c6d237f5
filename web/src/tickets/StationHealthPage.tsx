import { Switch } from '@mantine/core'
import type { HealthKind } from '@rogatka/contract/tickets.ts'
import type { WireHealthCheck, WireStationHealth } from '@rogatka/contract/tickets-health.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDateTime, MISSING } from '../core/format.ts'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { useListFailure } from '../core/useListFailure.ts'
import { useRight } from '../core/useSelf.ts'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { ListTitle } from '../ui/ListTitle.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Notice } from '../ui/Notice.tsx'
import { StatusMark } from '../ui/StatusMark.tsx'
import css from './Tickets.module.css'
import { useEvidence, useHealthSettings, useStationHealth } from './useHealth.ts'

const MARKS = { well: 'available', bad: 'malfunction', unknown: 'unavailable' } as const

/** Column order; whether the station sends data at all is first. */
const KINDS: readonly HealthKind[] = [
  'station-silent',
  'lane-silent',
  'images-missing',
  'plates-unreadable',
  'clock-skew',
  'calibration-deviation',
]

type Props = {
  /** Further statistics of cameras, of other features. */
  cameras: ReactNode
}

/** Station health: failing checks with their start, evidence and ticket, and the matrix of all checks. */
export function StationHealthPage({ cameras }: Props) {
  const { t } = useTranslation('tickets')
  const { data, error, refetch } = useStationHealth()
  useListFailure(t('health-failed'), error, data !== undefined)
  return (
    <PageLayout title={<ListTitle>{t('core:nav-station-health')}</ListTitle>}>
      <Settings />
      {!data && !error && <Loading label={t('loading-health')} />}
      {!data && error && <ErrorBanner error={error} title={t('health-failed')} retry={() => void refetch()} />}
      {data?.length === 0 && <EmptyState title={t('no-stations')} />}
      {data && data.length > 0 && (
        <>
          <Failures stations={data} />
          <Matrix stations={data} />
          {cameras}
        </>
      )}
    </PageLayout>
  )
}

/** Switches for opening and closing tickets automatically. */
function Settings() {
  const { t } = useTranslation('tickets')
  const { settings, change, pending } = useHealthSettings()
  if (!settings) return null
  const settingSwitch = (name: keyof typeof settings) => (
    <Switch
      label={t(name === 'autoOpen' ? 'auto-open' : 'auto-close')}
      checked={settings[name]}
      disabled={pending}
      onChange={(event) => change({ ...settings, [name]: event.currentTarget.checked })}
    />
  )
  return (
    <div className={css.switches}>
      {settingSwitch('autoOpen')}
      {settingSwitch('autoClose')}
    </div>
  )
}

type Stations = { stations: readonly WireStationHealth[] }
type Failure = WireHealthCheck & { id: number; station: string }

/** Failing checks with evidence and ticket. */
function Failures({ stations }: Stations) {
  const { t } = useTranslation('tickets')
  const columns = useFailureColumns()
  const failures = stations
    .flatMap(({ location, checks }) => checks.map((check) => ({ ...check, station: location.shortName })))
    .filter(({ state }) => state === 'bad')
    .map((check, id) => ({ ...check, id }))
  return (
    <section className={css.failures} aria-label={t('failures')}>
      <h2>{t('failures')}</h2>
      {failures.length === 0 ? (
        <Notice kind="quiet">{t('no-failures')}</Notice>
      ) : (
        <DataTable label={t('failures')} columns={columns} rows={failures} keyOf={({ id }) => id} />
      )}
    </section>
  )
}

/** All stations by check; the server returns failing ones first. */
function Matrix({ stations }: Stations) {
  const { t } = useTranslation('tickets')
  const columns = useMatrixColumns()
  return (
    <section className={css.matrix} aria-label={t('matrix')}>
      <h2>{t('matrix')}</h2>
      <DataTable label={t('matrix')} columns={columns} rows={stations} keyOf={({ location }) => location.id} />
    </section>
  )
}

function State({ state, lanes }: { state: WireHealthCheck['state']; lanes: string }) {
  const { t } = useTranslation('tickets')
  return (
    <span className={state === 'bad' ? `${css.state} ${css.failing}` : css.state}>
      <StatusMark status={MARKS[state]} />
      {[t(`state-${state}`), lanes].filter(Boolean).join(', ')}
    </span>
  )
}

function useMatrixColumns(): Column<WireStationHealth>[] {
  const { t } = useTranslation('tickets')
  /** The worst state of a station's lanes, and the failing lanes. */
  const cellOf = (kind: HealthKind) =>
    function Cell({ checks }: WireStationHealth) {
      const stationChecks = checks.filter((check) => check.kind === kind)
      // Without a result yet, or not checkable: no data.
      const state =
        (['bad', 'well'] as const).find((candidate) => stationChecks.some((check) => check.state === candidate)) ??
        'unknown'
      const failing = stationChecks.flatMap(({ state, laneNumber }) => (state === 'bad' ? (laneNumber ?? []) : []))
      return <State state={state} lanes={failing.map((lane) => t('ui:lane-number', { lane })).join(', ')} />
    }
  return [
    {
      key: 'station',
      title: t('ui:station'),
      head: true,
      sortBy: ({ location }) => location.shortName,
      cell: ({ location, state }) => (
        <span className={css.state}>
          <StatusMark status={MARKS[state]} label={t(`state-${state}`)} />
          {location.shortName}
        </span>
      ),
    },
    ...KINDS.map((kind) => ({ key: kind, title: t(`kind-${kind}`), cell: cellOf(kind) })),
    {
      key: 'last',
      title: t('last-seen'),
      sortBy: ({ lastVehicleTime }) => lastVehicleTime,
      cell: ({ lastVehicleTime }) => (lastVehicleTime ? formatDateTime(lastVehicleTime) : t('never-sent')),
    },
  ]
}

function useFailureColumns(): Column<Failure>[] {
  const { t } = useTranslation('tickets')
  const canOpen = useRight('Tickets')
  const evidence = useEvidence()
  return [
    {
      key: 'station',
      title: t('ui:station'),
      head: true,
      share: 14,
      sortBy: ({ station }) => station,
      cell: ({ station }) => station,
    },
    {
      key: 'kind',
      title: t('kind'),
      share: 19,
      sortBy: ({ kind }) => t(`kind-${kind}`),
      cell: ({ kind, laneNumber }) => (
        <span className={css.state}>
          <StatusMark status="malfunction" />
          {[t(`kind-${kind}`), laneNumber !== null && t('ui:lane-number', { lane: laneNumber })]
            .filter(Boolean)
            .join(', ')}
        </span>
      ),
    },
    {
      key: 'since',
      title: t('since'),
      share: 15,
      first: 'desc',
      sortBy: ({ since }) => since,
      cell: ({ since }) => (since ? formatDateTime(since) : MISSING),
    },
    { key: 'evidence', title: t('evidence'), wide: true, share: 38, cell: evidence },
    {
      key: 'ticket',
      title: t('ticket'),
      share: 14,
      cell: ({ ticketId }) =>
        ticketId === null ? (
          MISSING
        ) : canOpen ? (
          <Link to="/tickets/$id" params={{ id: ticketId }}>
            {t('to-ticket')}
          </Link>
        ) : (
          t('ticket-open')
        ),
    },
  ]
}
