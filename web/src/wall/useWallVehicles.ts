import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { HOUR_MS } from '@rogatka/domain/core/time.ts'
import { countdown } from '@rogatka/domain/current/countdown.ts'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { localNow, onTick, serverNow } from '../core/clock.ts'
import { followVehicles, isViolating } from '../current/publicApi.ts'
import { vehicleKey } from '../ui/vehicle/vehicleKey.ts'
import { createHourCounter } from './hourCounter.ts'

/** The newest vehicles that are kept; a screen shows 40. */
const MAX_VEHICLES = 5_000

/** A live vehicle; `passed`: its checkpoint. */
export type WallVehicle = { key: string; vehicle: WireVehicle; passed: boolean }

export type WallVehicles = {
  /** Newest first; null: not known yet. */
  vehicles: readonly WallVehicle[] | null
  /** Vehicles with violations in the last hour. */
  violating: number
  /** Since when they are counted, ms; null: for an hour. */
  countedSince: number | null
}

/**
 * Live vehicles of all stations that the user or device sees, with those that passed their checkpoint less than
 * `additionalSeconds` ago. `respondedAt`: local time of the last response of the server, null before the first.
 */
export function useWallVehicles(additionalSeconds: number): WallVehicles & { respondedAt: RefObject<number | null> } {
  const respondedAt = useRef<number | null>(null)
  const [state, setState] = useState<WallVehicles>({ vehicles: null, violating: 0, countedSince: serverNow() })
  useEffect(() => {
    const onResponse = () => {
      respondedAt.current = localNow()
    }
    return followWall(additionalSeconds, onResponse, setState)
  }, [additionalSeconds])
  return { ...state, respondedAt }
}

/** Follows the vehicles and shows them after each change; returns the function that stops it. */
export function followWall(
  additionalSeconds: number,
  onResponse: () => void,
  show: (update: (before: WallVehicles) => WallVehicles) => void,
): () => void {
  const known = new Map<string, WireVehicle>()
  const counter = createHourCounter()
  const startedAt = serverNow()
  let hasStarted = false

  const add = (vehicle: WireVehicle) => {
    const key = vehicleKey(vehicle)
    const createdAt = Date.parse(vehicle.createdAt)
    // The server lists vehicles for longer than they are known here.
    if (createdAt >= startedAt && isViolating({ vehicle })) counter.add(key, createdAt)
    known.set(key, vehicle)
  }
  const draw = (now: number) => {
    const vehicles: WallVehicle[] = []
    for (const [key, vehicle] of known) {
      const { phase } = phaseOf(vehicle, now, additionalSeconds)
      if (phase === 'gone') known.delete(key)
      else vehicles.push({ key, vehicle, passed: phase === 'passed' })
    }
    vehicles.sort((a, b) => Date.parse(b.vehicle.createdAt) - Date.parse(a.vehicle.createdAt))
    for (const { key } of vehicles.splice(MAX_VEHICLES)) known.delete(key)
    const next = {
      vehicles: hasStarted ? vehicles : null,
      violating: counter.count(now),
      countedSince: now - startedAt < HOUR_MS ? startedAt : null,
    }
    show((before) => (isSame(before, next) ? before : next))
  }
  const stopFollowing = followVehicles(
    {},
    {
      onVehicles: (vehicles) => {
        hasStarted = true
        vehicles.forEach(add)
        onResponse()
        draw(serverNow())
      },
      onResponse,
      onClear: () => known.clear(),
    },
    { withAxles: true, withImages: true },
  )
  const stopTicking = onTick(draw)
  return () => {
    stopFollowing()
    stopTicking()
  }
}

function phaseOf({ checkpointTime, createdAt }: WireVehicle, now: number, additionalSeconds: number) {
  const checkpoint = checkpointTime === null ? null : Date.parse(checkpointTime)
  return countdown(checkpoint, now, additionalSeconds, Date.parse(createdAt))
}

const isSame = (a: WallVehicles, b: WallVehicles): boolean =>
  a.violating === b.violating &&
  a.countedSince === b.countedSince &&
  a.vehicles?.length === b.vehicles?.length &&
  (a.vehicles ?? []).every(({ vehicle, passed }, at) => {
    const other = b.vehicles?.[at]
    return other?.vehicle === vehicle && other.passed === passed
  })
