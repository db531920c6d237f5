import { CheckList } from '../CheckList.tsx'
import { StatusMark } from '../StatusMark.tsx'
import css from './Choices.module.css'

export type ChoosableStation = {
  id: number
  name: string
  /** Road, chainage, direction. */
  detail: string
  available: boolean
  /** How long it has been silent, in words; null while it is available. */
  silence: string | null
}

type Props = {
  label: string
  stations: readonly ChoosableStation[]
  chosen: readonly number[]
  onToggle: (id: number) => void
  words: { available: string; unavailable: string }
}

/** Stations to choose among, each with its mark. */
export const StationChoice = ({ label, stations, chosen, onToggle, words }: Props) => (
  <div className={css.stations}>
    <CheckList
      label={label}
      chosen={chosen}
      onToggle={onToggle}
      options={stations.map(({ id, name, detail, available, silence }) => ({
        value: id,
        label: (
          <span className={available ? css.station : `${css.station} ${css.silent}`}>
            <StatusMark
              status={available ? 'available' : 'unavailable'}
              label={available ? words.available : words.unavailable}
            />
            <span>
              {name}
              <small>{detail}</small>
            </span>
          </span>
        ),
        figure: silence,
      }))}
    />
  </div>
)
