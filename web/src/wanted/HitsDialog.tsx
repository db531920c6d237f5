import { Button } from '@mantine/core'
import { markHit, type WireWantedHit, type WireWantedPlate } from '@rogatka/contract/wanted.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { formatDateTime, useFormat } from '../core/format.ts'
import { useRight } from '../core/useSelf.ts'
import { useWarningToast } from '../core/useWarningToast.ts'
import { canToggle, useAnnounce } from '../inspections/publicApi.ts'
import { Badge } from '../ui/Badge.tsx'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Pagination } from '../ui/Pagination.tsx'
import { pageCount } from '../ui/pages.ts'
import { Plate } from '../ui/vehicle/Plate.tsx'
import { HITS_PAGE, invalidateWanted, useHits } from './useWanted.ts'
import css from './Wanted.module.css'

type Props = {
  id: number
  /** The entry, if the list behind the dialog contains it. */
  plate: WireWantedPlate | undefined
  onClose: () => void
}

/** Detections that match an entry, each with a link to its vehicle. */
export function HitsDialog({ id, plate, onClose }: Props) {
  const { t } = useTranslation('wanted')
  const { number } = useFormat()
  const [page, setPage] = useState(1)
  const { data, error, isPlaceholderData } = useHits(id, page)
  const { isAllowed, announce, tasks } = useAnnounce()
  const columns = useHitColumns(id, plate, isAllowed ? announce : undefined)
  const pages = pageCount(data?.totalCount ?? 0, HITS_PAGE)
  const title = plate ? t('hits-of', { plate: plate.plateLpr }) : t('hits')
  return (
    <Dialog title={title} open onClose={onClose} wide>
      {tasks}
      {plate && (
        <p className={css.caption}>
          <Plate plate={plate.plateLpr} nationality={plate.nationality} size="s" unreadable={plate.plateLpr} />{' '}
          {plate.description}
        </p>
      )}
      {error && !data && <ErrorBanner error={error} title={t('list-failed')} />}
      {!error && !data && <Loading label={t('loading')} />}
      {data?.totalCount === 0 && <Notice kind="quiet">{t('no-hits')}</Notice>}
      {data && data.totalCount > 0 && (
        <DataTable
          label={title}
          columns={columns}
          rows={data.content}
          keyOf={(hit) => data.content.indexOf(hit)}
          stale={isPlaceholderData}
        />
      )}
      {pages > 1 && <Pagination page={Math.min(page, pages)} count={pages} onPage={setPage} format={number} />}
    </Dialog>
  )
}

/**
 * Marks hits of the entry's former plate. `plate`: the entry, undefined if the list behind does not contain it;
 * `announce`: undefined without its right.
 */
function useHitColumns(
  id: number,
  plate: WireWantedPlate | undefined,
  announce: ((hit: WireWantedHit) => void) | undefined,
): Column<WireWantedHit>[] {
  const { t } = useTranslation('wanted')
  const entryPlate = plate?.plateLpr
  const managesUsers = useRight('UserManagement')
  const canJudge = plate?.manageable ?? !managesUsers
  const canOpenVehicle = useRight('ArchiveMeasurements')
  const client = useQueryClient()
  const showWarning = useWarningToast()
  const toggleFalseHit = async ({ id: vehicleId, createdAt, falseHit }: WireWantedHit) => {
    try {
      await call(markHit, { params: { id, vehicleId }, query: { createdAt }, body: { falseHit: !falseHit } })
    } catch (error) {
      showWarning(t('judge-failed'), error)
    }
    await invalidateWanted(client)
  }
  return [
    {
      key: 'time',
      title: t('passed-at'),
      head: true,
      cell: ({ id: vehicleId, location, createdAt }) =>
        canOpenVehicle ? (
          <Link
            className={css.link ?? ''}
            to="/vehicleArch/$id/$locationId/$createdAt"
            params={{ id: String(vehicleId), locationId: String(location.id), createdAt }}
          >
            {formatDateTime(createdAt)}
          </Link>
        ) : (
          formatDateTime(createdAt)
        ),
    },
    { key: 'station', title: t('ui:station'), cell: ({ location }) => location.shortName },
    { key: 'lane', title: t('ui:lane'), right: true, cell: ({ laneNumber }) => laneNumber },
    {
      key: 'plate',
      title: t('read-as'),
      cell: ({ plateLpr, nationality, entryPlate: formerPlate }) => (
        <div className={css.read}>
          <Plate plate={plateLpr} nationality={nationality} size="s" unreadable={plateLpr} />
          {formerPlate !== null && entryPlate !== undefined && formerPlate !== entryPlate && (
            <Badge>{t('entry-plate', { plate: formerPlate })}</Badge>
          )}
        </div>
      ),
    },
    {
      key: 'judge',
      title: t('judgement'),
      plain: true,
      cell: (hit) =>
        canJudge ? (
          <Button
            variant="default"
            size="xs"
            aria-pressed={hit.falseHit}
            aria-label={`${t(hit.falseHit ? 'false-hit-marked' : 'false-hit')}, ${formatDateTime(hit.createdAt)}`}
            onClick={() => void toggleFalseHit(hit)}
          >
            {t(hit.falseHit ? 'false-hit-marked' : 'false-hit')}
          </Button>
        ) : (
          hit.falseHit && t('false-hit')
        ),
    },
    ...(announce
      ? [
          {
            key: 'inspection',
            title: t('vehicle:announce'),
            plain: true,
            cell: (hit: WireWantedHit) =>
              canToggle(hit) && (
                <Button
                  variant="default"
                  size="xs"
                  aria-label={`${t('vehicle:announce')}, ${formatDateTime(hit.createdAt)}`}
                  onClick={() => announce(hit)}
                >
                  {t('vehicle:announce')}
                </Button>
              ),
          },
        ]
      : []),
  ]
}
