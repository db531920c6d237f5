/*
 * The road from a station to its checkpoint, and the vehicles on it. Times in ms since the epoch.
 */

/** A vehicle is shown at the checkpoint, or without a checkpoint time at the station, for this time; then it leaves. */
const STAYS_MS = 60_000

/**
 * Position of a vehicle at `now`, by its measured speed, from which its checkpoint time follows: 0 at the station, 1 at
 * the checkpoint. Null: it has left.
 */
export function approachProgress(
  { createdAt, checkpointTime }: { createdAt: number; checkpointTime: number | null },
  now: number,
): number | null {
  const arrival = checkpointTime ?? createdAt
  if (now >= arrival + STAYS_MS) return null
  if (checkpointTime === null || now <= createdAt) return 0
  return Math.min(1, (now - createdAt) / (checkpointTime - createdAt))
}

/** Vehicles for which the drawn road has room. */
export const MAX_ON_WAY = 40

type OnWay = {
  /** Number in the order of arrival. */
  order: number
  /** Violating or wanted: always shown. */
  special: boolean
}

/**
 * The vehicles to draw: with too many of them every second plain one is left out, and of the rest again, until they fit
 * or none is left. By the order of arrival, so that the same ones are left out a second later.
 */
export function thinOut<V extends OnWay>(vehicles: readonly V[], max = MAX_ON_WAY): readonly V[] {
  let shown = vehicles
  for (let step = 2; shown.length > max && shown.some(({ special }) => !special); step *= 2)
    shown = vehicles.filter(({ special, order }) => special || order % step === 0)
  return shown
}
