import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { type FocusEvent, useDeferredValue, useRef, useState } from 'react'
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
  /** The vehicle to focus on mount; null: none. */
  initialFocus?: string | null
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

/** Virtualised list of live vehicles. Arrivals are rendered after the response to a key or click. */
export function LiveRows({
  label,
  slots: newSlots,
  pinned = false,
  initialFocus = null,
  onSigns,
  takenBy,
  ...cardProps
}: Props) {
  const slots = useDeferredValue(newSlots)
  const list = useRef<HTMLUListElement>(null)
  const [focused, setFocused] = useState(initialFocus)
  const rows = useVirtualRows({ list, keys: slots.map(keyOf), pinned: focused })
  const trackFocus = ({ target }: FocusEvent) =>
    setFocused(target.closest<HTMLElement>('[data-row]')?.dataset.row ?? null)

  return (
    <CardList label={label} pinned={pinned} list={list} onFocus={trackFocus}>
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
