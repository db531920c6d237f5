import type { ReactNode } from 'react'
import { FilterLine, FilterLines, FilterSection } from '../FilterSection.tsx'
import css from './ActiveCriteria.module.css'
import { StationMark, type StationStatus } from './StationMark.tsx'

type ActiveStation = {
  id: number
  name: string
  status: StationStatus
  /** At the right: how many vehicles, or how long it has been silent. */
  figure?: ReactNode
}

type Props = {
  title: string
  stations: readonly ActiveStation[]
  onRemove: (id: number) => void
  onRemoveAll: () => void
}

/** Of the rail: the chosen stations, each with its mark and its bin. */
export const ActiveStations = ({ title, stations, onRemove, onRemoveAll }: Props) => (
  <FilterSection title={title} onRemove={onRemoveAll}>
    <FilterLines>
      {stations.map(({ id, name, status, figure }) => (
        <FilterLine key={id} figure={figure} onRemove={{ what: name, run: () => onRemove(id) }}>
          <StationMark status={status} />
          <span className={status === 'available' ? undefined : css.silent}>{name}</span>
        </FilterLine>
      ))}
    </FilterLines>
  </FilterSection>
)
