import '@rogatka/api/core/threads.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createApp } from '@rogatka/api/app.ts'
import { readConfig } from '@rogatka/api/config.ts'
import { limitMemory } from '@rogatka/api/core/memory-limits.ts'
import { addLocation, createStationKey } from '@rogatka/api/locations/queries.ts'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { post } from '@rogatka/contract/ingest.ts'
import { HOUR_MS, MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { benchDatabase } from './database.ts'
import { benchStation, trafficFrom } from './traffic.ts'

/*
 * A process of `memory.bench.ts`: a server with a simulated clock that no client polls. Its arguments are hours; it prints
 * its memory after each as JSON.
 */

export type ProcessFigures = { resident: number; heapUsed: number; heapReserved: number; external: number }

/** Simulated time between two batches of the station, one vehicle per second. */
const STEP_MS = MINUTE_MS
/**
 * Of intervals, as the clock is faster than time: otherwise the live window has the vehicles of hours before it expires
 * them, and the memory that those took is kept.
 */
const SPEED = 60
const MIN_INTERVAL_MS = 20
/** Longer than the interval at which the live window removes expired vehicles. */
const EXPIRY_MS = 1_000
/** In which memory outside the heap is freed after garbage collection. */
const RELEASE_MS = 500

limitMemory()
setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')
const { setInterval } = globalThis
globalThis.setInterval = ((run: () => void, ms: number) =>
  setInterval(run, Math.max(MIN_INTERVAL_MS, ms / SPEED))) as typeof setInterval

const { db, url, drop } = await benchDatabase()
const clock = { now: new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS) }
const config = { ...readConfig({ DATABASE_URL: url, LOG_LEVEL: 'silent' }), demo: false }
const app = await createApp(config, db, { now: () => clock.now })
const figures: ProcessFigures[] = []
try {
  await addLocation(db, benchStation(1, 'S8 1'))
  const authorization = `Bearer ${await createStationKey(db, 1, new Date(0))}`
  await app.listen()
  // Not injected: an injected request is never closed, so that its timeout keeps it.
  const address = await app.api.http.listen({ host: '127.0.0.1', port: 0 })
  const sequence = { last: 0 }
  const traffic = trafficFrom(1, () => clock.now.getTime() - STEP_MS + (sequence.last++ % 60) * 1_000)
  const start = clock.now.getTime()
  for (const hours of process.argv.slice(2).map(Number)) {
    while (clock.now.getTime() < start + hours * HOUR_MS) {
      clock.now = new Date(clock.now.getTime() + STEP_MS)
      const response = await fetch(address + API_BASE + post.path, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify(traffic(STEP_MS / 1_000)),
      })
      if (!response.ok) throw new Error(await response.text())
      await response.arrayBuffer()
    }
    await expireAll()
    collectGarbage()
    await pause(RELEASE_MS)
    collectGarbage()
    const { heapUsed, heapTotal, external, rss } = process.memoryUsage()
    figures.push({ resident: rss, heapUsed, heapReserved: heapTotal, external })
  }
} finally {
  await app.close()
  await drop()
}
process.stdout.write(JSON.stringify(figures))

/** First all vehicles expire that passed during the last steps, then their removal is forgotten. */
async function expireAll() {
  for (let time = 0; time < 2; time++) {
    await pause(EXPIRY_MS)
    clock.now = new Date(clock.now.getTime() + 2 * STEP_MS)
  }
  await pause(EXPIRY_MS)
}
