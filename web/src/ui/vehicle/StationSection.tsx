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
  /** How long it has sent nothing; null while it is available or unknown, and when it never sent. */
  silence: string | null
}

type Props = {
  list: {
    /** Undefined: not loaded. */
    stations: readonly Station[] | undefined
    /** How many there were the last time: they take as much place until they come. */
    expected?: number | undefined
    /** Why they could not be loaded; null: nothing wrong. */
    error: unknown
    refetch: () => unknown
  }
  search: { locations?: readonly number[] | undefined }
  onChange: (changes: { locations: number[] }) => void
  /** Whether none is chosen where one is needed. */
  missing: { locations: boolean }
}

/** The section in which one chooses the stations. */
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

/** The places that the stations will take. */
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
