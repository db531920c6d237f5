import css from './Choices.module.css'

type Props = {
  label: string
  /** Undefined while loading. */
  lanes: readonly number[] | undefined
  selected: readonly number[]
  onToggle: (lane: number) => void
}

export const LaneChoice = ({ label, lanes, selected, onToggle }: Props) =>
  lanes === undefined ? (
    <div className={css.laneSkeleton} aria-hidden="true" />
  ) : (
    <fieldset className={css.lanes} aria-label={label}>
      {lanes.map((lane) => (
        <button key={lane} type="button" aria-pressed={selected.includes(lane)} onClick={() => onToggle(lane)}>
          {lane}
        </button>
      ))}
    </fieldset>
  )
