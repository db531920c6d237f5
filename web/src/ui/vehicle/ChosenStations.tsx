import type { ReactNode } from 'react'
import { FilterLine, FilterLines, FilterSection } from '../FilterSection.tsx'
import { StatusMark } from '../StatusMark.tsx'
import css from './Chosen.module.css'

type ChosenStation = {
  id: number
  name: string
  available: boolean
  /** At the right: how many vehicles, or how long it has been silent. */
  figure?: ReactNode
}

type Props = {
  title: string
  stations: readonly ChosenStation[]
  onRemove: (id: number) => void
  onRemoveAll: () => void
  words: { available: string; unavailable: string }
}

/** Of the rail: the chosen stations, each with its mark and its bin. */
export const ChosenStations = ({ title, stations, onRemove, onRemoveAll, words }: Props) => (
  <FilterSection title={title} onRemove={onRemoveAll}>
    <FilterLines>
      {stations.map(({ id, name, available, figure }) => (
        <FilterLine key={id} figure={figure} onRemove={{ what: name, run: () => onRemove(id) }}>
          <StatusMark
            status={available ? 'available' : 'unavailable'}
            label={available ? words.available : words.unavailable}
          />
          <span className={available ? undefined : css.silent}>{name}</span>
        </FilterLine>
      ))}
    </FilterLines>
  </FilterSection>
)
