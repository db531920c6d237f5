import { Switch } from '@mantine/core'
import type { WireHealthCheck, WireStationHealth } from '@rogatka/contract/tickets.ts'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { formatDateTime, MISSING } from '../core/format.ts'
import { Screen } from '../core/frame/Screen.tsx'
import { useListFailure } from '../core/useListFailure.ts'
import { useRight } from '../core/useSelf.ts'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { ListTitle } from '../ui/ListTitle.tsx'
import { Loading } from '../ui/Loading.tsx'
import { StatusMark } from '../ui/StatusMark.tsx'
import css from './Tickets.module.css'
import { useEvidence, useHealthSettings, useStationHealth } from './useHealth.ts'

const MARKS = { well: 'available', bad: 'malfunction', unknown: 'unavailable' } as const

/** How the stations are: what fails, since when, on what evidence, and the ticket that was opened for it. */
export function StationHealthPage() {
  const { t } = useTranslation('tickets')
  const { data, error, refetch } = useStationHealth()
  useListFailure(t('health-failed'), error, data !== undefined)
  return (
    <Screen title={<ListTitle>{t('health')}</ListTitle>}>
      <Settings />
      {!data && !error && <Loading label={t('loading-health')} />}
      {!data && error && <ErrorBanner error={error} title={t('health-failed')} retry={() => void refetch()} />}
      {data?.length === 0 && <EmptyState title={t('no-stations')} />}
      <div className={css.stations}>
        {data?.map((station) => (
          <Station key={station.location.id} station={station} />
        ))}
      </div>
    </Screen>
  )
}

/** Both can be switched off. */
function Settings() {
  const { t } = useTranslation('tickets')
  const { settings, change, pending } = useHealthSettings()
  if (!settings) return null
  const box = (name: keyof typeof settings) => (
    <Switch
      label={t(name === 'autoOpen' ? 'auto-open' : 'auto-close')}
      checked={settings[name]}
      disabled={pending}
      onChange={(event) => change({ ...settings, [name]: event.currentTarget.checked })}
    />
  )
  return (
    <div className={css.switches}>
      {box('autoOpen')}
      {box('autoClose')}
    </div>
  )
}

function Station({ station: { location, state, lastVehicleTime, checks } }: { station: WireStationHealth }) {
  const { t } = useTranslation('tickets')
  const columns = useColumns()
  return (
    <section className={css.station} aria-label={location.shortName}>
      <header>
        <h2>{location.shortName}</h2>
        <span>
          <StatusMark status={MARKS[state]} />
          {t(`state-${state}`)}
        </span>
        <span>{t('last-vehicle', { time: lastVehicleTime ? formatDateTime(lastVehicleTime) : MISSING })}</span>
      </header>
      {checks.length > 0 && (
        <DataTable
          label={location.shortName}
          columns={columns}
          rows={checks.map((check, id) => ({ ...check, id }))}
          keyOf={({ id }) => id}
        />
      )}
    </section>
  )
}

/** Each with its part of the width, so that they stand below each other from station to station. */
function useColumns(): Column<WireHealthCheck>[] {
  const { t } = useTranslation('tickets')
  const mayOpen = useRight('Tickets')
  const evidence = useEvidence()
  return [
    {
      key: 'kind',
      title: t('kind'),
      head: true,
      part: 17,
      cell: ({ kind, laneNumber }) =>
        [t(`kind-${kind}`), laneNumber !== null && t('lane', { lane: laneNumber })].filter(Boolean).join(', '),
    },
    {
      key: 'state',
      title: t('state'),
      part: 12,
      cell: ({ state }) => (
        <span className={css.state}>
          <StatusMark status={MARKS[state]} />
          {t(`state-${state}`)}
        </span>
      ),
    },
    { key: 'since', title: t('since'), part: 13, cell: ({ since }) => (since ? formatDateTime(since) : MISSING) },
    { key: 'evidence', title: t('evidence'), wide: true, part: 36, cell: evidence },
    {
      key: 'ticket',
      title: t('ticket'),
      part: 9,
      cell: ({ ticketId }) =>
        ticketId === null ? (
          MISSING
        ) : mayOpen ? (
          <Link to="/tickets/$id" params={{ id: ticketId }}>
            {t('to-ticket')}
          </Link>
        ) : (
          t('ticket-open')
        ),
    },
    { key: 'checked', title: t('checked'), part: 13, cell: ({ checkedAt }) => formatDateTime(checkedAt) },
  ]
}
