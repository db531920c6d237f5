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
  silence: string | null
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
export function StationSection({ list, search: { locations: chosen = [] }, onChange, missing }: Props) {
  const { t } = useTranslation('ui')
  const { stations, expected = 4, error, refetch } = list
  const ids = (stations ?? []).map(({ location }) => location.id)
  const choose = (locations: number[]) => onChange({ locations })
  return (
    <Section
      title={t('stations')}
      wrong={missing.locations}
      hint={missing.locations && t('stations-missing')}
      action={ids.length > 0 && <LinkButton onClick={() => choose(toggleAll(ids, chosen))}>{t('all')}</LinkButton>}
    >
      {error && !stations ? (
        <ErrorBanner error={error} title={t('stations-failed')} retry={() => void refetch()} />
      ) : null}
      {!error && !stations && <StationSkeleton label={t('stations-loading')} count={expected} />}
      {stations?.length === 0 && t('stations-empty')}
      {stations && (
        <StationChoice
          label={t('stations')}
          chosen={chosen}
          onToggle={(id) => choose(toggle(chosen, id))}
          stations={stations.map(({ location, status, silence }) => ({
            id: location.id,
            name: location.shortName,
            detail: [location.roadNumber, location.chainage, location.direction].filter(Boolean).join(' · '),
            status,
            silence,
          }))}
        />
      )}
    </Section>
  )
}

const StationSkeleton = ({ label, count }: { label: string; count: number }) => (
  <div className={css.stationBones}>
    <ul aria-hidden="true">
      {Array.from({ length: count }, (_, place) => place).map((place) => (
        <li key={place}>
          <i />
        </li>
      ))}
    </ul>
    <div className={css.stationWords}>
      <Loading label={label} />
    </div>
  </div>
)
