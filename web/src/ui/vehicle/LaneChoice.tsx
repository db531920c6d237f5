import { ToggleRow } from '../ToggleRow.tsx'
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
    <ToggleRow
      label={label}
      options={lanes.map((lane) => ({ value: lane, label: String(lane) }))}
      selected={selected}
      onToggle={onToggle}
    />
  )
