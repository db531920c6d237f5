import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { type FocusEvent, useRef, useState } from 'react'
import { useVirtualRows } from '../ui/useVirtualRows.ts'
import { CardGap, CardList } from '../ui/vehicle/VehicleCard.tsx'
import { LiveVehicleCard } from './LiveVehicleCard.tsx'
import { isGap, type Slot } from './liveList.ts'

type Props = {
  label: string
  slots: readonly Slot[]
  /** Pinned list above the other one, unsorted. */
  pinned?: boolean
  /** The vehicle to focus on mount; null: none. */
  kept?: number | null
  additionalSeconds: number
  /** What signs show now, by vehicle id. */
  onSigns: ReadonlyMap<number, 'plate' | 'trucks'>
  onOpen: (vehicle: WireVehicle) => void
  onTag: (vehicle: WireVehicle) => void
}

const keyOf = (slot: Slot) => (isGap(slot) ? `gap ${slot.gap}` : String(slot.vehicle.id))

/** Virtualised list of live vehicles. */
export function LiveRows({ label, slots, pinned = false, kept = null, onSigns, ...strip }: Props) {
  const list = useRef<HTMLUListElement>(null)
  const [focused, setFocused] = useState(kept === null ? null : String(kept))
  const rows = useVirtualRows({ list, keys: slots.map(keyOf), pinned: focused })
  const follow = ({ target }: FocusEvent) => setFocused(target.closest<HTMLElement>('[data-row]')?.dataset.row ?? null)

  return (
    <CardList label={label} pinned={pinned} list={list} onFocus={follow}>
      {rows.map((row) => {
        if ('space' in row) return <li key={row.key} aria-hidden="true" style={{ height: row.space }} />
        const slot = slots[row.index]
        if (!slot) return null
        const key = keyOf(slot)
        if (isGap(slot))
          return (
            <li key={key} data-row={key} aria-hidden="true">
              <CardGap />
            </li>
          )
        return (
          <li
            key={key}
            data-row={key}
            data-vehicle={slot.vehicle.id}
            aria-setsize={slots.length}
            aria-posinset={row.index + 1}
          >
            <LiveVehicleCard {...strip} entry={slot} onSign={onSigns.get(slot.vehicle.id)} />
          </li>
        )
      })}
    </CardList>
  )
}
