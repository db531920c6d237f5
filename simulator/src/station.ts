import type { WireMeasurement } from '@rogatka/contract/ingest.ts'
import { type ImageType, imageTypes } from '@rogatka/contract/vehicle.ts'
import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { type Detection, detectionsBetween, type SimulatedStation } from './detection.ts'
import { pause } from './http.ts'
import { renderImage } from './image/image.ts'
import { isHeavy } from './kinds.ts'
import { measure } from './measure.ts'
import type { Outbox } from './outbox.ts'
import type { Random } from './random.ts'
import { isNight } from './warsaw.ts'

/** Images of light vehicles; heavy ones get all types. */
const LIGHT_IMAGES: readonly ImageType[] = ['front', 'plate', 'side']

/** Maximum age of a vehicle of the backlog that gets images. */
const MAX_IMAGE_AGE_MS = 10 * MINUTE_MS

/** Age from which a vehicle is part of the backlog. */
const BACKLOG_MS = 5_000

/** Connection failures: share of vehicles that start one, its duration, and the delay after it until delivery. */
const OUTAGE = { share: 1 / 700, durationMs: 15_000, delayMs: [90_000, 240_000] } as const

/** Queues the images of a vehicle; they are drawn when sent. */
export const queueImages = (
  outbox: Outbox,
  site: SimulatedStation,
  detection: Detection,
  vehicle: WireMeasurement,
  readyAt: number,
): void => {
  const { plate, form } = detection.vehicle
  // Images show an unreadable plate as unreadable, a misread one as embossed.
  const options = {
    night: isNight(detection.at),
    plate: vehicle.plateLpr === null ? null : plate,
    station: site.location.shortName,
  }
  const types = isHeavy(form.kind) ? imageTypes : LIGHT_IMAGES
  // The queue sends the last added first.
  for (const type of types.toReversed())
    outbox.image({ vehicle, type, draw: () => renderImage(vehicle, type, options) }, readyAt)
}

/** Times of sending of a vehicle and its images, in ms. */
type Delivery = { vehicleAt: number; imagesAt: number }

/**
 * Random delays of the connection of a station: images are mostly sent shortly before their vehicle, sometimes after it;
 * a connection failure delays all vehicles by minutes and then sends them together.
 */
export const deliveryDelays = (random: Random): ((now: number) => Delivery) => {
  let [outageUntil, deliveredAt] = [0, 0]
  return (now) => {
    if (now >= outageUntil && random.happens(OUTAGE.share)) {
      outageUntil = now + OUTAGE.durationMs
      deliveredAt = outageUntil + random.between(...OUTAGE.delayMs)
    }
    if (now < outageUntil) return { vehicleAt: deliveredAt, imagesAt: deliveredAt }
    return random.happens(0.75)
      ? { vehicleAt: now + random.between(300, 900), imagesAt: now }
      : { vehicleAt: now, imagesAt: now + random.between(500, 3_000) }
  }
}

/** Vehicles since `from` are still to be sent, images only of those after `imagesSince`. */
export type ResumePoint = { from: Date; imagesSince: Date }

/**
 * Runs a station until abort: sends the backlog since `from` at once, then vehicles as they pass. Vehicles on stopped
 * lanes are lost.
 */
export const runStation = async (
  site: SimulatedStation,
  outbox: Outbox,
  { from, imagesSince }: ResumePoint,
  random: Random,
  signal: AbortSignal,
  stoppedLanes: ReadonlySet<number> = new Set(),
): Promise<void> => {
  const nextDelivery = deliveryDelays(random)
  let backlogCount = 0
  for (const detection of detectionsBetween(site, from)) {
    const at = detection.at.getTime()
    if (at > Date.now()) await pause(at - Date.now(), signal)
    // Yields to the event loop during a long backlog.
    else if (++backlogCount % 200 === 0) await pause(0, signal)
    if (signal.aborted) return
    if (stoppedLanes.has(detection.laneNumber)) continue

    const vehicle = measure(detection, site)
    const now = Date.now()
    if (now - at < BACKLOG_MS) {
      const { vehicleAt, imagesAt } = nextDelivery(now)
      outbox.vehicle(vehicle, vehicleAt)
      queueImages(outbox, site, detection, vehicle, imagesAt)
      continue
    }
    outbox.vehicle(vehicle, now)
    if (now - at < MAX_IMAGE_AGE_MS && detection.at > imagesSince && isHeavy(detection.vehicle.form.kind))
      queueImages(outbox, site, detection, vehicle, now)
  }
}
