import { MAX_VEHICLES, type WireMeasurement } from '@rogatka/contract/ingest.ts'
import type { ImageType } from '@rogatka/contract/vehicle.ts'
import { type Outcome, pause, type Receipt, type Server, sendImage, sendVehicles } from './http.ts'
import type { Log } from './log.ts'
import { createQueue } from './queue.ts'
import type { Random } from './random.ts'

/** A queued image, drawn just before it is sent, to save memory. */
export type PendingImage = { vehicle: WireMeasurement; type: ImageType; draw: () => Promise<Buffer> }

/** Intervals and rates of sending; shorter in tests. */
export type SendTiming = {
  /** Pause between batches. */
  batchMs: number
  minBackOffMs: number
  maxBackOffMs: number
  /** Share of batches sent twice, and the maximum delay of the second time. */
  repeatShare: number
  maxRepeatDelayMs: number
}

export const defaultTiming: SendTiming = {
  batchMs: 500,
  minBackOffMs: 500,
  maxBackOffMs: 20_000,
  repeatShare: 0.005,
  maxRepeatDelayMs: 30_000,
}

/** Over a week of a busy station. */
const MAX_VEHICLES_QUEUED = 50_000
/** Images are less important than vehicles and larger. */
const MAX_IMAGES_QUEUED = 400

export type Outbox = {
  vehicle: (vehicle: WireMeasurement, readyAt: number) => void
  image: (image: PendingImage, readyAt: number) => void
  /** Sends until the server's signal stops it. */
  run: () => Promise<void>
  waiting: () => { vehicles: number; images: number }
}

/** Exponential back-off with jitter, which spreads the retries of stations. */
export const backOffMs = (failures: number, { minBackOffMs, maxBackOffMs }: SendTiming, random: Random): number =>
  Math.min(maxBackOffMs, minBackOffMs * 2 ** Math.min(failures - 1, 20)) * random.between(0.5, 1)

/** Retries until accepted or refused; null on abort. Logs the first failure and the recovery. */
export const sendWithRetry = async <T>(
  send: () => Promise<Outcome<T>>,
  { server, log, timing, random, station }: Pick<SenderContext, 'server' | 'log' | 'timing' | 'random' | 'station'>,
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
    await pause(outcome.afterMs ?? backOffMs(failures, timing, random), server.signal)
  }
  return null
}

/** Dependencies of the sender of a station. */
export type SenderContext = {
  station: string
  server: Server
  ndjson: boolean
  log: Log
  random: Random
  timing: SendTiming
  /** Semaphore shared by all stations, which limits concurrent drawing. */
  withDrawLimit: <T>(work: () => Promise<T>) => Promise<T>
}

/** Logs the number of rejected vehicles of a batch, with the errors of the first. */
export const logRejected = ({ station, log }: Pick<SenderContext, 'station' | 'log'>, { rejected }: Receipt): void => {
  if (rejected.length > 0)
    log('the server rejects vehicles', { station, vehicles: rejected.length, first: rejected[0]?.errors })
}

/** The send queues of a station. Items are removed only when the server has acknowledged or refused them. */
export const createOutbox = (sender: SenderContext): Outbox => {
  const { station, server, ndjson, log, random, timing, withDrawLimit } = sender
  const vehicles = createQueue<WireMeasurement>(MAX_VEHICLES_QUEUED)
  const images = createQueue<PendingImage>(MAX_IMAGES_QUEUED)

  const repeatSometimes = (batch: readonly WireMeasurement[]) => {
    if (!random.happens(timing.repeatShare)) return
    const repeatAt = Date.now() + random.between(0, timing.maxRepeatDelayMs)
    for (const vehicle of batch) vehicles.add({ ...vehicle }, repeatAt)
  }

  const runVehicles = async () => {
    let dropped = 0
    while (!server.signal.aborted) {
      const batch = vehicles.ready(Date.now(), MAX_VEHICLES)
      if (batch.length > 0) {
        const outcome = await sendWithRetry(() => sendVehicles(server, batch, ndjson), sender)
        if (outcome === null) return
        vehicles.remove(batch)
        if (outcome.kind === 'done') {
          logRejected(sender, outcome.answer)
          repeatSometimes(batch)
        } else log('the server refuses a batch', { station, vehicles: batch.length, why: outcome.why })
      }
      if (vehicles.dropped() > dropped) {
        log('too many vehicles waited; the oldest are dropped', { station, vehicles: vehicles.dropped() - dropped })
        dropped = vehicles.dropped()
      }
      // After a full batch the queue may hold more.
      if (batch.length < MAX_VEHICLES) await pause(timing.batchMs, server.signal)
    }
  }

  const deliver = async ({ vehicle, type, draw }: PendingImage): Promise<Outcome<string>> => {
    try {
      return await sendImage(server, vehicle, type, await draw())
    } catch (error) {
      // An image that cannot be drawn must not stop the others.
      return { kind: 'refused', why: `not drawn: ${error instanceof Error ? error.message : String(error)}` }
    }
  }

  const runImages = async () => {
    for (let failures = 0; !server.signal.aborted; ) {
      const image = images.newest(Date.now())
      if (!image) {
        await pause(timing.batchMs / 2, server.signal)
        continue
      }
      const started = Date.now()
      const outcome = await withDrawLimit(() => deliver(image))
      if (outcome.kind === 'later') {
        failures++
        await pause(outcome.afterMs ?? backOffMs(failures, timing, random), server.signal)
        continue
      }
      failures = 0
      images.remove([image])
      if (outcome.kind === 'refused') log('an image is dropped', { station, type: image.type, why: outcome.why })
      // Limits drawing to half of the time.
      await pause(Date.now() - started, server.signal)
    }
  }

  return {
    vehicle: vehicles.add,
    image: images.add,
    run: async () => {
      await Promise.all([runVehicles(), runImages()])
    },
    waiting: () => ({ vehicles: vehicles.size(), images: images.size() }),
  }
}
