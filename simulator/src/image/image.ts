import { renderAsync } from '@resvg/resvg-js'
import type { WireMeasurement } from '@rogatka/contract/ingest.ts'
import type { ImageType } from '@rogatka/contract/vehicle.ts'
import sharp from 'sharp'
import type { Kind } from '../kinds.ts'
import { type Nationality, trailerPlateOf } from '../plates.ts'
import { trafficRandom } from '../random.ts'
import { stampOf } from '../warsaw.ts'
import { cabFront, coachFront } from './cab.ts'
import { closeUp } from './close-up.ts'
import { grained } from './grain.ts'
import { carFront, motorcycleFront, vanFront } from './light-front.ts'
import { overview } from './overview.ts'
import { daylight, definitions, type Light, nightlight } from './paint.ts'
import { rearOf } from './rear.ts'
import { GROUND, HEIGHT, roadScene, sideScene, stamp, WIDTH } from './scene.ts'
import { sideOf } from './side.ts'
import { type VisibleVehicle, visibleVehicleOf } from './visible-vehicle.ts'

// Two pictures at once keep both cores busy; more threads inside one picture only take turns.
sharp.concurrency(1)
sharp.cache(false)

const QUALITY = 80

const frontOf = (seen: VisibleVehicle, light: Light): string => {
  switch (seen.form.kind) {
    case 'car':
    case 'car-trailer':
      return carFront(seen, light)
    case 'van':
    case 'van-trailer':
      return vanFront(seen, light)
    case 'motorcycle':
      return motorcycleFront(seen, light)
    case 'bus':
      return coachFront(seen, light)
    default:
      return cabFront(seen, light)
  }
}

/** Pixels a cm, across and up: each class fills the picture, and the tallest lorry still fits. */
const CLOSENESS: Record<Kind, readonly [number, number]> = {
  motorcycle: [2.2, 2.2],
  car: [1.9, 1.9],
  'car-trailer': [1.75, 1.75],
  van: [1.6, 1.6],
  'van-trailer': [1.55, 1.55],
  bus: [1.3, 1.22],
  lorry: [1.3, 1.16],
  articulated: [1.3, 1.16],
  'road-train': [1.3, 1.16],
}

const onRoad = (drawing: string, kind: Kind, seen: VisibleVehicle, light: Light): string => {
  const [across, up] = CLOSENESS[kind]
  return `${roadScene(light, seen.look)}<g transform="translate(480 502) scale(${across} ${up})">${drawing}</g>`
}

/** Trailers have plates of their own, which the rear camera sees. */
const seenFromBehind = (seen: VisibleVehicle): VisibleVehicle => {
  const { kind } = seen.form
  if (seen.plate === null || (kind !== 'articulated' && kind !== 'road-train' && !kind.endsWith('-trailer')))
    return seen
  return {
    ...seen,
    plate: trailerPlateOf((seen.nationality ?? 'PL') as Nationality, trafficRandom(`trailer:${seen.plate}`)),
  }
}

const fromSide = (seen: VisibleVehicle, light: Light): string => {
  const { length, cab, load } = seen.form
  const scale = Math.min(900 / length, 285 / Math.max(cab, load), 1.32)
  const left = (WIDTH - length * scale) / 2
  return `${sideScene(light, seen.look)}<g transform="translate(${left.toFixed(1)} ${GROUND}) scale(${scale.toFixed(4)})">${sideOf(seen, light)}</g>`
}

const drawingOf = (type: ImageType, seen: VisibleVehicle, laneNumber: number, light: Light): string => {
  switch (type) {
    case 'front':
      return onRoad(frontOf(seen, light), seen.form.kind, seen, light)
    case 'rear':
      return onRoad(rearOf(seenFromBehind(seen), light), seen.form.kind, seen, light)
    case 'side':
      return fromSide(seen, light)
    case 'plate':
      return closeUp(seen, light)
    case 'overview':
      return overview(frontOf(seen, light), laneNumber, seen, light)
  }
}

type ImageOptions = {
  night: boolean
  /** What is really embossed, when it was misread; null: unreadable. Left out: the plate as it was read. */
  plate?: string | null
  /** What the camera writes beside the lane: usually the station. */
  place?: string
}

/** One JPEG of a measured vehicle, 960 × 540, drawn from the measurement. */
export const renderImage = async (
  measurement: WireMeasurement,
  type: ImageType,
  options: ImageOptions,
): Promise<Buffer> => {
  const light = options.night ? nightlight : daylight
  const seen = visibleVehicleOf(measurement, options.plate)
  const facts = [
    options.place,
    `pas ${measurement.laneNumber}`,
    measurement.speed == null ? null : `${measurement.speed} km/h`,
  ]
  const drawing = drawingOf(type, seen, measurement.laneNumber, light)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">${definitions(light)}${drawing}${stamp(facts.filter(Boolean).join(' · '), stampOf(new Date(measurement.createdAt)))}</svg>`
  const { pixels } = await renderAsync(svg, { font: { loadSystemFonts: false } })
  return sharp(grained(pixels, options.night), { raw: { width: WIDTH, height: HEIGHT, channels: 4 } })
    .removeAlpha()
    .jpeg({ quality: QUALITY })
    .toBuffer()
}
