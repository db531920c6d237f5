import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { approachProgress } from '@rogatka/domain/overview/way.ts'
import { kindOf, type VehicleKind } from '@rogatka/domain/vehicle/kind.ts'
import { displayPlate } from '@rogatka/domain/vehicle/plate.ts'
import { useEffect, useState } from 'react'
import { onTick, serverNow } from '../core/clock.ts'
import { followVehicles, isViolating, isWanted } from '../current/publicApi.ts'
import { vehicleKey } from '../ui/vehicle/vehicleKey.ts'

/** Vehicles are redrawn at every second tick of the clock. */
const REDRAW_MS = 900
/** Without a response for this time nothing is known of the vehicles. */
const STALE_MS = 60_000

/** Drawn larger. */
const LARGE: readonly VehicleKind[] = ['rigid', 'roadTrain', 'articulated', 'bus']

/** A vehicle on its way. */
export type WayVehicle = {
  key: string
  /** Number in the order of arrival. */
  order: number
  /** 0 at the station, 1 at the checkpoint. */
  share: number
  isLarge: boolean
  isViolating: boolean
  /** The plate of a wanted vehicle, as displayed; null: not wanted. Empty: not shown to this user. */
  wanted: string | null
  /** Violating or wanted. */
  special: boolean
}

export type StationTraffic = {
  vehicles: readonly WayVehicle[]
  /** Time of the newest vehicle, ms. */
  newest: number
}

/** By station; null: not known. */
export type Traffic = ReadonlyMap<number, StationTraffic> | null

type TrackedVehicle = Omit<WayVehicle, 'share'> & {
  locationId: number
  createdAt: number
  checkpointTime: number | null
}

/** Vehicles on their way at these stations, from the live stream, moved once a second. */
export function useTraffic(locationIds: readonly number[]): Traffic {
  const [traffic, setTraffic] = useState<Traffic>(null)
  const key = locationIds.join()
  useEffect(() => {
    setTraffic(null)
    if (key !== '') return followTraffic(key.split(',').map(Number), setTraffic)
  }, [key])
  return traffic
}

/** Follows the vehicles and shows them; returns the function that stops it. */
function followTraffic(locations: number[], show: (traffic: Traffic) => void): () => void {
  const known = new Map<string, TrackedVehicle>()
  let arrivals = 0
  let respondedAt: number | null = null
  let drawnAt = 0
  let isShown = false

  const add = (vehicle: WireVehicle) => {
    const key = vehicleKey(vehicle)
    known.set(key, knownOf(vehicle, key, known.get(key)?.order ?? arrivals++))
  }
  const draw = (now: number) => {
    drawnAt = now
    isShown = respondedAt !== null && now - respondedAt <= STALE_MS
    show(isShown ? move(known, now) : null)
  }
  const stopFollowing = followVehicles(
    { locations },
    {
      onVehicles: (vehicles) => {
        vehicles.forEach(add)
        respondedAt = serverNow()
        if (!isShown) draw(respondedAt)
      },
      onResponse: () => {
        respondedAt = serverNow()
      },
      onClear: () => known.clear(),
    },
    {},
  )
  const stopTicking = onTick((now) => {
    if (Math.abs(now - drawnAt) >= REDRAW_MS) draw(now)
  })
  return () => {
    stopFollowing()
    stopTicking()
  }
}

function knownOf(vehicle: WireVehicle, key: string, order: number): TrackedVehicle {
  const wanted = isWanted({ vehicle })
  const violating = isViolating({ vehicle })
  return {
    key,
    order,
    locationId: vehicle.location.id,
    createdAt: Date.parse(vehicle.createdAt),
    checkpointTime: vehicle.checkpointTime === null ? null : Date.parse(vehicle.checkpointTime),
    isLarge: LARGE.includes(kindOf(vehicle.ctg8p1, vehicle.ctg323)),
    isViolating: violating,
    wanted: wanted ? (vehicle.plateLpr && displayPlate(vehicle.plateLpr, vehicle.nationality)) || '' : null,
    special: violating || wanted,
  }
}

/** Moves the vehicles to their positions at `now`, and forgets those that have left. */
function move(known: Map<string, TrackedVehicle>, now: number): Traffic {
  const traffic = new Map<number, { vehicles: WayVehicle[]; newest: number }>()
  for (const [key, { locationId, createdAt, checkpointTime, ...vehicle }] of known) {
    const share = approachProgress({ createdAt, checkpointTime }, now)
    if (share === null) {
      known.delete(key)
      continue
    }
    const station = traffic.get(locationId) ?? { vehicles: [], newest: 0 }
    station.vehicles.push({ ...vehicle, share })
    station.newest = Math.max(station.newest, createdAt)
    traffic.set(locationId, station)
  }
  return traffic
}
