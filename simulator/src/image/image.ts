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
import { addGrain } from './grain.ts'
import { carFront, motorcycleFront, vanFront } from './light-front.ts'
import { overview } from './overview.ts'
import { daylight, definitions, type Light, nightlight } from './paint.ts'
import { rearOf } from './rear.ts'
import { GROUND, HEIGHT, roadScene, sideScene, stamp, WIDTH } from './scene.ts'
import { sideOf } from './side.ts'
import { type VisibleVehicle, visibleVehicleOf } from './visible-vehicle.ts'

// One thread per image is enough: several images are encoded concurrently.
sharp.concurrency(1)
sharp.cache(false)

const QUALITY = 80

const frontOf = (vehicle: VisibleVehicle, light: Light): string => {
  switch (vehicle.form.kind) {
    case 'car':
    case 'car-trailer':
      return carFront(vehicle, light)
    case 'van':
    case 'van-trailer':
      return vanFront(vehicle, light)
    case 'motorcycle':
      return motorcycleFront(vehicle, light)
    case 'bus':
      return coachFront(vehicle, light)
    default:
      return cabFront(vehicle, light)
  }
}

/** Horizontal and vertical pixels per cm: each kind fills the image, and the tallest lorry fits. */
const PIXELS_PER_CM: Record<Kind, readonly [number, number]> = {
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

const onRoad = (drawing: string, kind: Kind, vehicle: VisibleVehicle, light: Light): string => {
  const [across, up] = PIXELS_PER_CM[kind]
  return `${roadScene(light, vehicle.styleSeed)}<g transform="translate(480 502) scale(${across} ${up})">${drawing}</g>`
}

/** The rear camera sees the plate of the trailer. */
const withTrailerPlate = (vehicle: VisibleVehicle): VisibleVehicle => {
  const { kind } = vehicle.form
  if (vehicle.plate === null || (kind !== 'articulated' && kind !== 'road-train' && !kind.endsWith('-trailer')))
    return vehicle
  return {
    ...vehicle,
    plate: trailerPlateOf((vehicle.nationality ?? 'PL') as Nationality, trafficRandom(`trailer:${vehicle.plate}`)),
  }
}

const fromSide = (vehicle: VisibleVehicle, light: Light): string => {
  const { length, cab, load } = vehicle.form
  const scale = Math.min(900 / length, 285 / Math.max(cab, load), 1.32)
  const left = (WIDTH - length * scale) / 2
  return `${sideScene(light, vehicle.styleSeed)}<g transform="translate(${left.toFixed(1)} ${GROUND}) scale(${scale.toFixed(4)})">${sideOf(vehicle, light)}</g>`
}

const drawingOf = (type: ImageType, vehicle: VisibleVehicle, laneNumber: number, light: Light): string => {
  switch (type) {
    case 'front':
      return onRoad(frontOf(vehicle, light), vehicle.form.kind, vehicle, light)
    case 'rear':
      return onRoad(rearOf(withTrailerPlate(vehicle), light), vehicle.form.kind, vehicle, light)
    case 'side':
      return fromSide(vehicle, light)
    case 'plate':
      return closeUp(vehicle, light)
    case 'overview':
      return overview(frontOf(vehicle, light), laneNumber, vehicle, light)
  }
}

type ImageOptions = {
  night: boolean
  /** The embossed plate, if misread; null: unreadable. Absent: the plate as read. */
  plate?: string | null
  /** Name in the stamp of the camera. */
  station?: string
}

/** Renders an image of a measured vehicle as a JPEG of 960 × 540. */
export const renderImage = async (
  measurement: WireMeasurement,
  type: ImageType,
  options: ImageOptions,
): Promise<Buffer> => {
  const light = options.night ? nightlight : daylight
  const vehicle = visibleVehicleOf(measurement, options.plate)
  const labels = [
    options.station,
    `pas ${measurement.laneNumber}`,
    measurement.speed == null ? null : `${measurement.speed} km/h`,
  ]
  const drawing = drawingOf(type, vehicle, measurement.laneNumber, light)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">${definitions(light)}${drawing}${stamp(labels.filter(Boolean).join(' · '), stampOf(new Date(measurement.createdAt)))}</svg>`
  const { pixels } = await renderAsync(svg, { font: { loadSystemFonts: false } })
  return sharp(addGrain(pixels, options.night), { raw: { width: WIDTH, height: HEIGHT, channels: 4 } })
    .removeAlpha()
    .jpeg({ quality: QUALITY })
    .toBuffer()
}
