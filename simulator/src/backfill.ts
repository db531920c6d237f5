import { MAX_VEHICLES, type WireMeasurement } from '@rogatka/contract/ingest.ts'
import { pause, sendVehicles } from './http.ts'
import { isHeavy } from './kinds.ts'
import { measured } from './measure.ts'
import { type Desk, type Outbox, persistently, tellRejected } from './outbox.ts'
import { passagesBetween, passagesOf, type Site } from './passage.ts'
import { orderPictures } from './station.ts'
import { daysBack } from './traffic.ts'

/** A station with a history to tell. */
export type Teller = { site: Site; desk: Desk; outbox: Outbox; until: Date }

const DAY_MS = 86_400_000

/** So many stations tell at a time. */
const AT_ONCE = 2

/** After each batch the server rests for so much of the time that the batch took. */
const REST = 0.5

/** Pictures are for the newest hours, of heavy vehicles alone, and a few hundred at most over all stations. */
const PICTURES_MS = 2 * 3_600_000
const PICTURES = 400
const PICTURES_A_VEHICLE = 5

const sendDay = async ({ site, desk, until }: Teller, day: number, from: Date): Promise<number> => {
  let [batch, sent]: [WireMeasurement[], number] = [[], 0]
  const flush = async () => {
    const started = Date.now()
    const outcome = await persistently(() => sendVehicles(desk.server, batch, desk.ndjson), desk)
    if (outcome?.kind === 'done') tellRejected(desk, outcome.answer)
    if (outcome?.kind === 'refused') desk.log('the server refuses history', { station: desk.station, why: outcome.why })
    sent += batch.length
    batch = []
    await pause((Date.now() - started) * REST, desk.server.signal)
  }
  for (const passage of passagesOf(site, day, from, until)) {
    batch.push(measured(passage, site))
    if (batch.length === MAX_VEHICLES) await flush()
    if (desk.server.signal.aborted) return sent
  }
  if (batch.length > 0) await flush()
  return sent
}

/** Pictures for the newest of the history. */
const orderNewestPictures = ({ site, outbox, until }: Teller, vehicles: number): void => {
  const heavy = [...passagesBetween(site, new Date(until.getTime() - PICTURES_MS), until)]
    .filter(({ vehicle }) => isHeavy(vehicle.form.kind))
    .slice(-vehicles)
  for (const passage of heavy) orderPictures(outbox, site, passage, measured(passage, site), 0)
}

/**
 * Tells the history of the last days through the same door as everything else: the newest day of all stations first, so
 * that the archive has something at once. What is told depends on station and day alone: told twice, it is a repeat.
 */
export const tellHistory = async (tellers: readonly Teller[], days: number): Promise<void> => {
  const work = tellers
    .flatMap((teller) => {
      const from = new Date(teller.until.getTime() - days * DAY_MS)
      return daysBack(from, teller.until).map((day) => ({ teller, day, from }))
    })
    .sort((a, b) => b.day - a.day)
  for (const teller of tellers) orderNewestPictures(teller, Math.floor(PICTURES / PICTURES_A_VEHICLE / tellers.length))

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
  await Promise.all(Array.from({ length: AT_ONCE }, tell))
}
