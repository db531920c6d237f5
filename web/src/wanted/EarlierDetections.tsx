import { search } from '@rogatka/contract/archive.ts'
import type { WireOpenHit } from '@rogatka/contract/wanted-hits.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { formatDateTime, MISSING, useFormat } from '../core/format.ts'
import { retryWithPurpose } from '../core/purpose.ts'
import { useLocations } from '../locations/publicApi.ts'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import css from './HitSheet.module.css'
import { closeHitSheet } from './openHits.ts'

const DAYS = 30
/** Displayed detections; the archive has all. */
const LIMIT = 5

/** The detections of the plate in the 30 days before, newest first. */
export function EarlierDetections({ hit }: { hit: WireOpenHit }) {
  const { t } = useTranslation('wanted')
  const { number, tonnes } = useFormat()
  const { data: locations } = useLocations()
  const filters = {
    plates: [hit.plateLpr],
    dateTimeStart: new Date(Date.parse(hit.createdAt) - DAYS * DAY_MS).toISOString(),
    dateTimeEnd: hit.createdAt,
    locations: locations?.map(({ id }) => id) ?? [],
  }
  const { data, error, refetch } = useQuery({
    queryKey: ['earlier-detections', filters],
    queryFn: ({ signal }) => call(search, { query: { ...filters, page: 1, limit: LIMIT }, signal, background: true }),
    enabled: filters.locations.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <section>
      <h3 className={css.heading}>
        {t('earlier')}
        {data && data.totalCount > 0 && <small>{t('in-30-days', { number: number(data.totalCount) })}</small>}
        {/* Beside the sheet it would be half hidden; H opens the sheet again. */}
        <Link
          className={css.link ?? ''}
          to="/vehicleArch/$id/$locationId/$createdAt"
          params={{ id: String(hit.id), locationId: String(hit.location.id), createdAt: hit.createdAt }}
          search={{ tab: 'history' }}
          onClick={closeHitSheet}
        >
          {t('plate-history')}
        </Link>
      </h3>
      {error && (
        <ErrorBanner
          error={error}
          title={t('earlier-failed')}
          retry={() => void retryWithPurpose({ error, plate: hit.plateLpr, retry: refetch })}
        />
      )}
      {data?.totalCount === 0 && <p className={css.note}>{t('no-earlier')}</p>}
      {data && data.totalCount > 0 && (
        <table className={css.detections}>
          <tbody>
            {data.content.map(({ id, createdAt, location, lane, speed, totalLoad }) => (
              <tr key={`${id} ${createdAt}`}>
                <td>{formatDateTime(createdAt)}</td>
                <td>
                  {location.shortName} · {t('ui:lane-number', { lane: lane.laneNumber })}
                </td>
                <td className={css.speed}>{speed === null ? MISSING : `${number(speed)} km/h`}</td>
                <td className={css.number}>{totalLoad === null ? MISSING : `${tonnes(totalLoad)} t`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
