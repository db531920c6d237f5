import { MAX_VEHICLES, type WireMeasurement } from '@rogatka/contract/ingest.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { detectionsBetween, detectionsOf, type SimulatedStation } from './detection.ts'
import { pause, sendVehicles } from './http.ts'
import { isHeavy } from './kinds.ts'
import { measured } from './measure.ts'
import { logRejected, type Outbox, type SenderContext, sendWithRetry } from './outbox.ts'
import { queueImages } from './station.ts'
import { daysBack } from './traffic.ts'

/** A station with a history to tell. */
export type BackfillStation = { site: SimulatedStation; desk: SenderContext; outbox: Outbox; until: Date }

/** So many stations tell at a time. */
const CONCURRENCY = 2

/** After each batch the server rests for so much of the time that the batch took. */
const REST = 0.5

/** Pictures are for the newest hours, of heavy vehicles alone, and a few hundred at most over all stations. */
const IMAGES_MS = 2 * 3_600_000
const IMAGES = 400
const IMAGES_PER_VEHICLE = 5

const sendDay = async ({ site, desk, until }: BackfillStation, day: number, from: Date): Promise<number> => {
  let [batch, sent]: [WireMeasurement[], number] = [[], 0]
  const flush = async () => {
    const started = Date.now()
    const outcome = await sendWithRetry(() => sendVehicles(desk.server, batch, desk.ndjson), desk)
    if (outcome?.kind === 'done') logRejected(desk, outcome.answer)
    if (outcome?.kind === 'refused') desk.log('the server refuses history', { station: desk.station, why: outcome.why })
    sent += batch.length
    batch = []
    await pause((Date.now() - started) * REST, desk.server.signal)
  }
  for (const passage of detectionsOf(site, day, from, until)) {
    batch.push(measured(passage, site))
    if (batch.length === MAX_VEHICLES) await flush()
    if (desk.server.signal.aborted) return sent
  }
  if (batch.length > 0) await flush()
  return sent
}

/** Pictures for the newest of the history. */
const queueNewestImages = ({ site, outbox, until }: BackfillStation, vehicles: number): void => {
  const heavy = [...detectionsBetween(site, new Date(until.getTime() - IMAGES_MS), until)]
    .filter(({ vehicle }) => isHeavy(vehicle.form.kind))
    .slice(-vehicles)
  for (const passage of heavy) queueImages(outbox, site, passage, measured(passage, site), 0)
}

/**
 * Tells the history of the last days through the same door as everything else: the newest day of all stations first, so
 * that the archive has something at once. What is told depends on station and day alone: told twice, it is a repeat.
 */
export const backfill = async (tellers: readonly BackfillStation[], days: number): Promise<void> => {
  const work = tellers
    .flatMap((teller) => {
      const from = new Date(teller.until.getTime() - days * DAY_MS)
      return daysBack(from, teller.until).map((day) => ({ teller, day, from }))
    })
    .sort((a, b) => b.day - a.day)
  for (const teller of tellers) queueNewestImages(teller, Math.floor(IMAGES / IMAGES_PER_VEHICLE / tellers.length))

  const [whole, started] = [work.length, Date.now()]
  let [done, vehicles] = [0, 0]
  const tell = async () => {
    for (let next = work.shift(); next; next = work.shift()) {
      const { teller, day, from } = next
      const sent = await sendDay(teller, day, from)
      vehicles += sent
      if (teller.desk.server.signal.aborted) return
      done++
      if (done % 10 === 0 || done === whole)
        teller.desk.log('history', {
          days: done,
          of: whole,
          vehicles,
          seconds: Math.round((Date.now() - started) / 1000),
        })
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, tell))
}
