import { MAX_VEHICLES, type WireMeasurement } from '@rogatka/contract/ingest.ts'
import type { ImageType } from '@rogatka/contract/vehicle.ts'
import { type Outcome, pause, type Receipt, type Server, sendImage, sendVehicles } from './http.ts'
import type { Log } from './log.ts'
import { createQueue } from './queue.ts'
import type { Random } from './random.ts'

/** A picture that is still to be drawn: an idea of it waits in the queue, not its bytes. */
export type PendingImage = { vehicle: WireMeasurement; type: ImageType; draw: () => Promise<Buffer> }

/** How fast things go; shorter in tests. */
export type SendTiming = {
  /** Between two batches. */
  batchMs: number
  firstBackOffMs: number
  longestBackOffMs: number
  /** How often a batch is delivered a second time, and after how long at the most. */
  repeatShare: number
  repeatWithinMs: number
}

export const defaultTiming: SendTiming = {
  batchMs: 500,
  firstBackOffMs: 500,
  longestBackOffMs: 20_000,
  repeatShare: 0.005,
  repeatWithinMs: 30_000,
}

/** So many vehicles wait while the server is away: over a week of a busy station. */
const MAX_VEHICLES_QUEUED = 50_000
/** Pictures are worth less than vehicles and cost more. */
const MAX_IMAGES_QUEUED = 400

export type Outbox = {
  vehicle: (vehicle: WireMeasurement, readyAt: number) => void
  picture: (errand: PendingImage, readyAt: number) => void
  /** Sends until the server's signal stops it. */
  run: () => Promise<void>
  waiting: () => { vehicles: number; pictures: number }
}

/** How long to wait after so many failures in a row: doubling, with chance so that stations do not come back all at once. */
export const backOffMs = (failures: number, { firstBackOffMs, longestBackOffMs }: SendTiming, random: Random): number =>
  Math.min(longestBackOffMs, firstBackOffMs * 2 ** Math.min(failures - 1, 20)) * random.between(0.5, 1)

/** Sends again and again until something is taken or refused; null when all is to stop. Tells of the first failure and of the end of it. */
export const sendWithRetry = async <T>(
  send: () => Promise<Outcome<T>>,
  { server, log, tempo, random, station }: Pick<SenderContext, 'server' | 'log' | 'tempo' | 'random' | 'station'>,
): Promise<Exclude<Outcome<T>, { kind: 'later' }> | null> => {
  for (let failures = 0; !server.signal.aborted; ) {
    const outcome = await send()
    if (outcome.kind !== 'later') {
      if (failures > 0) log('the server answers again', { station, failures })
      return outcome
    }
    if (server.signal.aborted) return null
    failures++
    if (failures === 1) log('the server does not take vehicles now; they wait', { station, why: outcome.why })
    await pause(outcome.afterMs ?? backOffMs(failures, tempo, random), server.signal)
  }
  return null
}

/** What one station needs for sending. */
export type SenderContext = {
  station: string
  server: Server
  ndjson: boolean
  log: Log
  random: Random
  tempo: SendTiming
  /** Shared by all stations, so that drawing never takes the machine for itself. */
  turn: <T>(work: () => Promise<T>) => Promise<T>
}

/** Tells what the server did not want of a batch: one line, with the first reason. */
export const logRejected = ({ station, log }: Pick<SenderContext, 'station' | 'log'>, { rejected }: Receipt): void => {
  if (rejected.length > 0)
    log('the server rejects vehicles', { station, vehicles: rejected.length, first: rejected[0]?.errors })
}

/** What a station keeps until the server has it. Nothing leaves before the server has acknowledged it. */
export const createOutbox = (desk: SenderContext): Outbox => {
  const { station, server, ndjson, log, random, tempo, turn } = desk
  const vehicles = createQueue<WireMeasurement>(MAX_VEHICLES_QUEUED)
  const pictures = createQueue<PendingImage>(MAX_IMAGES_QUEUED)

  const repeatSometimes = (batch: readonly WireMeasurement[]) => {
    if (!random.happens(tempo.repeatShare)) return
    const again = Date.now() + random.between(0, tempo.repeatWithinMs)
    for (const vehicle of batch) vehicles.add({ ...vehicle }, again)
  }

  const runVehicles = async () => {
    let lost = 0
    while (!server.signal.aborted) {
      const batch = vehicles.ready(Date.now(), MAX_VEHICLES)
      if (batch.length > 0) {
        const outcome = await sendWithRetry(() => sendVehicles(server, batch, ndjson), desk)
        if (outcome === null) return
        vehicles.remove(batch)
        if (outcome.kind === 'done') {
          logRejected(desk, outcome.answer)
          repeatSometimes(batch)
        } else log('the server refuses a batch', { station, vehicles: batch.length, why: outcome.why })
      }
      if (vehicles.lost() > lost) {
        log('too many vehicles waited; the oldest are lost', { station, vehicles: vehicles.lost() - lost })
        lost = vehicles.lost()
      }
      // A full batch means that more is waiting.
      if (batch.length < MAX_VEHICLES) await pause(tempo.batchMs, server.signal)
    }
  }

  const deliver = async ({ vehicle, type, draw }: PendingImage): Promise<Outcome<string>> => {
    try {
      return await sendImage(server, vehicle, type, await draw())
    } catch (error) {
      // A vehicle that cannot be drawn is no reason to fall silent.
      return { kind: 'refused', why: `not drawn: ${error instanceof Error ? error.message : String(error)}` }
    }
  }

  const runPictures = async () => {
    for (let failures = 0; !server.signal.aborted; ) {
      const errand = pictures.newest(Date.now())
      if (!errand) {
        await pause(tempo.batchMs / 2, server.signal)
        continue
      }
      const started = Date.now()
      const outcome = await turn(() => deliver(errand))
      if (outcome.kind === 'later') {
        failures++
        await pause(outcome.afterMs ?? backOffMs(failures, tempo, random), server.signal)
        continue
      }
      failures = 0
      pictures.remove([errand])
      if (outcome.kind === 'refused') log('a picture is given up', { station, type: errand.type, why: outcome.why })
      // Leave the machine at least as much as the picture took.
      await pause(Date.now() - started, server.signal)
    }
  }

  return {
    vehicle: vehicles.add,
    picture: pictures.add,
    run: async () => {
      await Promise.all([runVehicles(), runPictures()])
    },
    waiting: () => ({ vehicles: vehicles.size(), pictures: pictures.size() }),
  }
}
