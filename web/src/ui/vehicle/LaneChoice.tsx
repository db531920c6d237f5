import css from './Choices.module.css'

type Props = {
  label: string
  lanes: readonly number[]
  chosen: readonly number[]
  onToggle: (lane: number) => void
}

/** Lane numbers side by side. */
export const LaneChoice = ({ label, lanes, chosen, onToggle }: Props) => (
  <fieldset className={css.lanes} aria-label={label}>
    {lanes.map((lane) => (
      <button key={lane} type="button" aria-pressed={chosen.includes(lane)} onClick={() => onToggle(lane)}>
        {lane}
      </button>
    ))}
  </fieldset>
)
