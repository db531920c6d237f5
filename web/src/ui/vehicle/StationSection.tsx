import { toggle, toggleAll } from '@rogatka/domain/vehicle/toggle.ts'
import { ErrorBanner } from '../ErrorBanner.tsx'
import { LinkButton } from '../LinkButton.tsx'
import { Loading } from '../Loading.tsx'
import { Section } from '../Panel.tsx'
import css from './Choices.module.css'
import { type ChoosableStation, StationChoice } from './StationChoice.tsx'

type Props = {
  /** Undefined: not loaded. */
  stations: readonly ChoosableStation[] | undefined
  /** How many there were the last time: they take as much place until they come. */
  expected?: number | undefined
  /** Why they could not be loaded; null: nothing wrong. */
  error: unknown
  retry: () => void
  chosen: readonly number[]
  onChange: (ids: number[]) => void
  /** None is chosen where one is needed. */
  missing: boolean
  texts: {
    title: string
    missing: string
    all: string
    failed: string
    loading: string
    empty: string
  }
}

/** The section in which one chooses the stations. */
export function StationSection({ stations, expected = 4, error, retry, chosen, onChange, missing, texts }: Props) {
  const ids = (stations ?? []).map(({ id }) => id)
  return (
    <Section
      title={texts.title}
      wrong={missing}
      hint={missing && texts.missing}
      action={ids.length > 0 && <LinkButton onClick={() => onChange(toggleAll(ids, chosen))}>{texts.all}</LinkButton>}
    >
      {error && !stations ? <ErrorBanner error={error} title={texts.failed} retry={retry} /> : null}
      {!error && !stations && <StationSkeleton label={texts.loading} count={expected} />}
      {stations?.length === 0 && texts.empty}
      {stations && (
        <StationChoice
          label={texts.title}
          chosen={chosen}
          onToggle={(id) => onChange(toggle(chosen, id))}
          stations={stations}
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
