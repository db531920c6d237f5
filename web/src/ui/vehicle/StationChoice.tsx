import { CheckboxGroup } from '../CheckboxGroup.tsx'
import css from './Choices.module.css'
import { StationMark, type StationStatus } from './StationMark.tsx'

type ChoosableStation = {
  id: number
  name: string
  /** Road, chainage, direction. */
  detail: string
  status: StationStatus
  /** Time without data; null while available. */
  noDataTime: string | null
}

type Props = {
  label: string
  stations: readonly ChoosableStation[]
  selected: readonly number[]
  onToggle: (id: number) => void
}

/** Checkboxes of stations, each with its status mark. */
export const StationChoice = ({ label, stations, selected, onToggle }: Props) => (
  <div className={css.stations}>
    <CheckboxGroup
      label={label}
      selected={selected}
      onToggle={onToggle}
      options={stations.map(({ id, name, detail, status, noDataTime }) => ({
        value: id,
        label: (
          <span className={status === 'available' ? css.station : `${css.station} ${css.unavailable}`}>
            <StationMark status={status} />
            <span>
              {name}
              <small>{detail}</small>
            </span>
          </span>
        ),
        figure: noDataTime,
      }))}
    />
  </div>
)
