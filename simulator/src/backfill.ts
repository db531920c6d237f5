import { MAX_VEHICLES, type WireMeasurement } from '@rogatka/contract/ingest.ts'
import { DAY_MS, HOUR_MS } from '@rogatka/domain/core/time.ts'
import { detectionsBetween, detectionsOf, type SimulatedStation } from './detection.ts'
import { pause, sendVehicles } from './http.ts'
import { isHeavy } from './kinds.ts'
import { measure } from './measure.ts'
import { logRejected, type Outbox, type SenderContext, sendWithRetry } from './outbox.ts'
import { queueImages } from './station.ts'
import { daysBack } from './traffic.ts'

/** A station to backfill, up to `until` (exclusive). */
export type BackfillStation = { site: SimulatedStation; sender: SenderContext; outbox: Outbox; until: Date }

/** Days sent at a time. */
const CONCURRENCY = 2

/** Pause after each batch, as a share of its duration, to leave the server capacity for other requests. */
const PAUSE_RATIO = 0.5

/** Images are sent only of heavy vehicles of the last hours, and at most this many over all stations. */
const IMAGE_PERIOD_MS = 2 * HOUR_MS
const MAX_IMAGES = 400
const IMAGES_PER_VEHICLE = 5

const sendDay = async ({ site, sender, until }: BackfillStation, day: number, from: Date): Promise<number> => {
  let [batch, sent]: [WireMeasurement[], number] = [[], 0]
  const flush = async () => {
    const started = Date.now()
    const outcome = await sendWithRetry(() => sendVehicles(sender.server, batch, sender.ndjson), sender)
    if (outcome?.kind === 'done') logRejected(sender, outcome.answer)
    if (outcome?.kind === 'refused')
      sender.log('the server refuses history', { station: sender.station, why: outcome.why })
    sent += batch.length
    batch = []
    await pause((Date.now() - started) * PAUSE_RATIO, sender.server.signal)
  }
  for (const detection of detectionsOf(site, day, from, until)) {
    batch.push(measure(detection, site))
    if (batch.length === MAX_VEHICLES) await flush()
    if (sender.server.signal.aborted) return sent
  }
  if (batch.length > 0) await flush()
  return sent
}

/** Queues images of the newest heavy vehicles. */
const queueNewestImages = ({ site, outbox, until }: BackfillStation, vehicles: number): void => {
  const heavy = [...detectionsBetween(site, new Date(until.getTime() - IMAGE_PERIOD_MS), until)]
    .filter(({ vehicle }) => isHeavy(vehicle.form.kind))
    .slice(-vehicles)
  for (const detection of heavy) queueImages(outbox, site, detection, measure(detection, site), 0)
}

/**
 * Backfills the last `days` days of all stations over the HTTP API, newest day first, so that the archive has recent
 * vehicles at once. Vehicles depend only on station and day, so a repeated backfill sends only duplicates.
 */
export const backfill = async (stations: readonly BackfillStation[], days: number): Promise<void> => {
  if (days === 0) return
  const work = stations
    .flatMap((station) => {
      const from = new Date(station.until.getTime() - days * DAY_MS)
      return daysBack(from, station.until).map((day) => ({ station, day, from }))
    })
    .sort((a, b) => b.day - a.day)
  for (const station of stations)
    queueNewestImages(station, Math.floor(MAX_IMAGES / IMAGES_PER_VEHICLE / stations.length))

  const [total, started] = [work.length, Date.now()]
  let [done, vehicles] = [0, 0]
  const runWorker = async () => {
    for (let next = work.shift(); next; next = work.shift()) {
      const { station, day, from } = next
      const sent = await sendDay(station, day, from)
      vehicles += sent
      if (station.sender.server.signal.aborted) return
      done++
      if (done % 10 === 0 || done === total)
        station.sender.log('history', {
          days: done,
          of: total,
          vehicles,
          seconds: Math.round((Date.now() - started) / 1000),
        })
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, runWorker))
}
