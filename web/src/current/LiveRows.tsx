import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { useRef } from 'react'
import { useVirtualRows } from '../ui/useVirtualRows.ts'
import { CardGap, CardList } from '../ui/vehicle/VehicleCard.tsx'
import { vehicleKey } from '../ui/vehicle/vehicleKey.ts'
import { LiveVehicleCard } from './LiveVehicleCard.tsx'
import { isGap, type Slot } from './liveList.ts'

type Props = {
  label: string
  slots: readonly Slot[]
  /** Pinned list above the other one, unsorted. */
  pinned?: boolean
  /** The row that had the focus last; null: none. */
  focused: string | null
  additionalSeconds: number
  /** What signs show now, by vehicle id. */
  onSigns: ReadonlyMap<number, 'plate' | 'trucks'>
  /** Who attends to wanted vehicles, by vehicle. */
  takenBy: ReadonlyMap<string, string>
  onOpen: (vehicle: WireVehicle) => void
  onTag: (vehicle: WireVehicle) => void
  /** Announces an inspection, or takes it back; absent without the right. */
  onAnnounce: ((vehicle: WireVehicle) => void) | undefined
}

const keyOf = (slot: Slot) => (isGap(slot) ? `gap ${slot.gap}` : vehicleKey(slot.vehicle))

/** Virtualised list of live vehicles. */
export function LiveRows({ label, slots, pinned = false, focused, onSigns, takenBy, ...cardProps }: Props) {
  const list = useRef<HTMLUListElement>(null)
  const rows = useVirtualRows({ list, keys: slots.map(keyOf), pinned: focused })

  return (
    <CardList label={label} pinned={pinned} list={list}>
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
          <li key={key} data-row={key} data-vehicle={key} aria-setsize={slots.length} aria-posinset={row.index + 1}>
            <LiveVehicleCard
              {...cardProps}
              entry={slot}
              onSign={onSigns.get(slot.vehicle.id)}
              takenBy={takenBy.get(key) ?? null}
            />
          </li>
        )
      })}
    </CardList>
  )
}
