import css from './Choices.module.css'

type Props = {
  label: string
  /** Undefined while loading. */
  lanes: readonly number[] | undefined
  chosen: readonly number[]
  onToggle: (lane: number) => void
}

export const LaneChoice = ({ label, lanes, chosen, onToggle }: Props) =>
  lanes === undefined ? (
    <div className={css.laneBones} aria-hidden="true" />
  ) : (
    <fieldset className={css.lanes} aria-label={label}>
      {lanes.map((lane) => (
        <button key={lane} type="button" aria-pressed={chosen.includes(lane)} onClick={() => onToggle(lane)}>
          {lane}
        </button>
      ))}
    </fieldset>
  )
