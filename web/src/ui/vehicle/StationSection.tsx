import type { WireLocation } from '@rogatka/contract/locations.ts'
import { toggle, toggleAll } from '@rogatka/domain/vehicle/toggle.ts'
import { useTranslation } from 'react-i18next'
import { ErrorBanner } from '../ErrorBanner.tsx'
import { LinkButton } from '../LinkButton.tsx'
import { Loading } from '../Loading.tsx'
import { Section } from '../Panel.tsx'
import css from './Choices.module.css'
import { StationChoice } from './StationChoice.tsx'
import type { StationStatus } from './StationMark.tsx'

export type Station = {
  location: WireLocation
  status: StationStatus
  /** Time without data; null while available or unknown, and if it never sent data. */
  noDataTime: string | null
}

type Props = {
  list: {
    /** Undefined while loading. */
    stations: readonly Station[] | undefined
    /** Number of stations at the last visit, for a skeleton of the same size. */
    expected?: number | undefined
    /** Why loading failed; null without an error. */
    error: unknown
    refetch: () => unknown
  }
  search: { locations?: readonly number[] | undefined }
  onChange: (changes: { locations: number[] }) => void
  /** Whether the required selection is missing. */
  missing: { locations: boolean }
}

/** Wizard section for the stations. */
export function StationSection({ list, search: { locations: selected = [] }, onChange, missing }: Props) {
  const { t } = useTranslation('ui')
  const { stations, expected = 6, error, refetch } = list
  const ids = (stations ?? []).map(({ location }) => location.id)
  const select = (locations: number[]) => onChange({ locations })
  return (
    <Section
      title={t('stations')}
      invalid={missing.locations}
      hint={missing.locations && t('stations-missing')}
      action={ids.length > 0 && <LinkButton onClick={() => select(toggleAll(ids, selected))}>{t('all')}</LinkButton>}
    >
      {error && !stations ? (
        <ErrorBanner error={error} title={t('stations-failed')} retry={() => void refetch()} />
      ) : null}
      {!error && !stations && <StationSkeleton label={t('stations-loading')} count={expected} />}
      {stations?.length === 0 && t('stations-empty')}
      {stations && (
        <StationChoice
          label={t('stations')}
          selected={selected}
          onToggle={(id) => select(toggle(selected, id))}
          stations={stations.map(({ location, status, noDataTime }) => ({
            id: location.id,
            name: location.shortName,
            detail: [
              location.roadNumber,
              location.chainage,
              location.direction,
              location.closedAt !== null && t('station-closed'),
            ]
              .filter(Boolean)
              .join(' · '),
            status,
            noDataTime,
          }))}
        />
      )}
    </Section>
  )
}

const StationSkeleton = ({ label, count }: { label: string; count: number }) => (
  <div className={css.stationSkeleton}>
    <ul aria-hidden="true">
      {Array.from({ length: count }, (_, index) => index).map((index) => (
        <li key={index}>
          <i />
        </li>
      ))}
    </ul>
    <div className={css.stationLoading}>
      <Loading label={label} />
    </div>
  </div>
)
