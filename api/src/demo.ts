import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { noteDemoCalibrations } from './calibration/demo.ts'
import type { Api } from './core/route.ts'
import { demoLocations } from './locations/demo.ts'
import { addLocation, locations, newStationKey } from './locations/queries.ts'
import { accountByUsername } from './session/queries.ts'
import { ADMINISTRATOR } from './users/administrator.ts'
import { firstHours } from './vehicle/queries.ts'

const DAY_MS = 86_400_000
const SIMULATOR = fileURLToPath(new URL('../../simulator/src/main.ts', import.meta.url))

/**
 * Adds the stations of the demo and starts their simulator with fresh keys.
 * The simulator is a process of its own that speaks HTTP as real stations do; it ends when its input closes,
 * so it never outlives this process.
 */
export async function startDemo({ sql, config, now, http }: Api, url: string): Promise<{ stop: () => void }> {
  for (const station of demoLocations) await addLocation(sql, station)
  const begins = await firstHours(sql)
  // History is told from today backwards, so it is whole when its oldest day is there.
  const oldestDay = now().getTime() - (config.demoBackfillDays - 1) * DAY_MS
  const known = await locations(sql)
  const administrator = await accountByUsername(sql, ADMINISTRATOR)
  const by = administrator && { userId: administrator.id, username: administrator.username }
  const calibrated = by ? await noteDemoCalibrations(sql, demoLocations, by, now(), config.demoBackfillDays) : []
  const stations = await Promise.all(
    demoLocations.map(async ({ id, speedLimit, speedLimitHeavy }) => ({
      key: await newStationKey(sql, id, now(), true),
      location: known.find((location) => location.id === id),
      speedLimit,
      speedLimitHeavy,
      calibratedAt: calibrated.filter(({ locationId }) => locationId === id).map(({ finishedAt }) => finishedAt),
      backfill: (begins.get(id)?.getTime() ?? Infinity) > oldestDay,
    })),
  )

  const child = spawn(process.execPath, [SIMULATOR], { stdio: ['pipe', 'pipe', 'inherit'], detached: true })
  child.stdin.on('error', () => {})
  child.stdin.write(`${JSON.stringify({ url, backfillDays: config.demoBackfillDays, stations })}\n`)
  createInterface(child.stdout).on('line', (line) => http.log.debug(`simulator: ${line}`))
  child.on('exit', (code) => {
    if (code) http.log.error(`simulator: ended with ${code}`)
  })
  return { stop: () => child.stdin.end() }
}
