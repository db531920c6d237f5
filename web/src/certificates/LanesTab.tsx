import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useListFailure } from '../core/useListFailure.ts'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Notice } from '../ui/Notice.tsx'
import { StationSelect } from '../ui/StationSelect.tsx'
import css from './Certificates.module.css'
import { LanePanel } from './LanePanel.tsx'
import { useLanes } from './useCertificates.ts'

type Props = {
  /** Undefined: all. */
  station: number | undefined
  canChange: boolean
}

/** WIM lanes by station, each with its purpose and certificates. */
export function LanesTab({ station, canChange }: Props) {
  const { t } = useTranslation('certificates')
  const navigate = useNavigate()
  const { data, error, refetch } = useLanes()
  useListFailure(t('lanes-failed'), error, data !== undefined)
  const stations = [...Map.groupBy(data ?? [], ({ location }) => location.id)].flatMap(([id, lanes]) => {
    const shortName = lanes[0]?.location.shortName
    return shortName === undefined ? [] : [{ id, shortName, lanes }]
  })
  const shown = stations.filter(({ id }) => station === undefined || id === station)
  return (
    <>
      <div className={css.filters}>
        <StationSelect
          stations={stations}
          all={t('all-stations')}
          value={station}
          onChange={(id) => void navigate({ to: '/scale-certificates', search: { tab: 'lanes', station: id } })}
        />
      </div>
      {!data && !error && <Loading label={t('loading')} />}
      {!data && error && <ErrorBanner error={error} title={t('lanes-failed')} retry={() => void refetch()} />}
      {data && shown.length === 0 && <Notice kind="quiet">{t('no-lanes')}</Notice>}
      {shown.map(({ id, shortName, lanes }) => (
        <section key={id} className={css.station} aria-label={shortName}>
          <h2>{shortName}</h2>
          {lanes.map((lane) => (
            <LanePanel key={lane.id} lane={lane} canChange={canChange} />
          ))}
        </section>
      ))}
    </>
  )
}
