import type { WireMeasurement } from '@rogatka/contract/ingest.ts'
import { type ImageType, imageTypes } from '@rogatka/contract/vehicle.ts'
import { type Detection, detectionsBetween, type SimulatedStation } from './detection.ts'
import { pause } from './http.ts'
import { renderImage } from './image/image.ts'
import { isHeavy } from './kinds.ts'
import { measured } from './measure.ts'
import type { Outbox } from './outbox.ts'
import type { Random } from './random.ts'
import { isNight } from './warsaw.ts'

/** What is photographed of light vehicles; of heavy ones, everything. */
const LIGHT_IMAGES: readonly ImageType[] = ['front', 'plate', 'side']

/** How long a vehicle that was not sent at once is still worth pictures. */
const IMAGES_FOR_MS = 10 * 60_000

/** A vehicle that passed so long ago is part of catching up. */
const LATE_MS = 5_000

/** A disturbed line: how often it begins with a vehicle, how long it takes in what passes, how long that then waits. */
const HELD = { share: 1 / 700, forMs: 15_000, waitMs: [90_000, 240_000] } as const

/** The pictures of a passage, to be drawn when their turn comes. */
export const queueImages = (
  outbox: Outbox,
  site: SimulatedStation,
  passage: Detection,
  vehicle: WireMeasurement,
  readyAt: number,
): void => {
  const { plate, form } = passage.vehicle
  // An unreadable plate stays unreadable in its pictures; a misread one shows what is really on it.
  const options = {
    night: isNight(passage.at),
    plate: vehicle.plateLpr === null ? null : plate,
    place: site.location.shortName,
  }
  const types = isHeavy(form.kind) ? imageTypes : LIGHT_IMAGES
  // The queue gives the last first.
  for (const type of types.toReversed())
    outbox.picture({ vehicle, type, draw: () => renderImage(vehicle, type, options) }, readyAt)
}

/** When a vehicle that passes now is delivered, and when its pictures are. */
type Delivery = { vehicleAt: number; picturesAt: number }

/**
 * The line of a station: mostly the pictures come a moment before their vehicle, sometimes after it; now and then the
 * line is disturbed and holds back what passes meanwhile, to deliver it together minutes later.
 */
export const deliveryDelays = (random: Random): ((now: number) => Delivery) => {
  let [heldUntil, deliveredAt] = [0, 0]
  return (now) => {
    if (now >= heldUntil && random.happens(HELD.share)) {
      heldUntil = now + HELD.forMs
      deliveredAt = heldUntil + random.between(...HELD.waitMs)
    }
    if (now < heldUntil) return { vehicleAt: deliveredAt, picturesAt: deliveredAt }
    return random.happens(0.75)
      ? { vehicleAt: now + random.between(300, 900), picturesAt: now }
      : { vehicleAt: now, picturesAt: now + random.between(500, 3_000) }
  }
}

/** What was already told: vehicles from an instant on are still to be delivered, pictures only of those after another. */
export type ResumePoint = { from: Date; picturesSince: Date }

/**
 * The life of a station from an instant on: what has passed since then is delivered at once, what passes now is delivered
 * as it passes. Of a silent lane nothing is: its loops are broken, and what passes it is lost.
 */
export const runStation = async (
  site: SimulatedStation,
  outbox: Outbox,
  { from, picturesSince }: ResumePoint,
  random: Random,
  signal: AbortSignal,
  silent: ReadonlySet<number> = new Set(),
): Promise<void> => {
  const line = deliveryDelays(random)
  let made = 0
  for (const passage of detectionsBetween(site, from)) {
    const at = passage.at.getTime()
    if (at > Date.now()) await pause(at - Date.now(), signal)
    // Whoever catches up with a day must let others speak.
    else if (++made % 200 === 0) await pause(0, signal)
    if (signal.aborted) return
    if (silent.has(passage.laneNumber)) continue

    const vehicle = measured(passage, site)
    const now = Date.now()
    if (now - at < LATE_MS) {
      const { vehicleAt, picturesAt } = line(now)
      outbox.vehicle(vehicle, vehicleAt)
      queueImages(outbox, site, passage, vehicle, picturesAt)
      continue
    }
    outbox.vehicle(vehicle, now)
    if (now - at < IMAGES_FOR_MS && passage.at > picturesSince && isHeavy(passage.vehicle.form.kind))
      queueImages(outbox, site, passage, vehicle, now)
  }
}
