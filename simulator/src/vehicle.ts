import type { Euro } from '@rogatka/contract/vehicle.ts'
import { gapsOf } from './axles.ts'
import { catalogueOf } from './catalogue.ts'
import { isHeavy, type Kind, layouts } from './kinds.ts'
import { axleLoadsOf, grossOf } from './loads.ts'
import { type Nationality, nationalityOf, plateOf } from './plates.ts'
import { type Random, trafficRandom } from './random.ts'
import { type VehicleShape, vehicleShapeOf } from './vehicle-shape.ts'

/** Permanent properties of a vehicle. */
export type Vehicle = {
  form: VehicleShape
  nationality: Nationality
  /** As embossed. */
  plate: string
  /** Register data; null: unknown. */
  euro: Euro | null
  /** The haulier overloads it. */
  overloads: boolean
}

const plateGroupOf = (kind: Kind): Parameters<typeof nationalityOf>[0] =>
  kind === 'bus' ? 'coach' : isHeavy(kind) ? 'lorry' : 'light'

/** Creates a vehicle; equal seeds give equal plates, axles and shapes. */
export const vehicleOf = (kind: Kind, seed: string): Vehicle => {
  const random = trafficRandom(`vehicle:${kind}:${seed}`)
  const layout = random.weighted(layouts[kind])
  const form = vehicleShapeOf(kind, layout, gapsOf(layout, random), random)
  const nationality = nationalityOf(plateGroupOf(kind), random)
  const plate = plateOf(nationality, random)
  const isRegistered = random.happens(nationality === 'PL' ? 0.75 : 0.25)
  const euro = isRegistered ? catalogueOf(kind, random) : null
  return { form, nationality, plate, euro, overloads: isHeavy(kind) && random.happens(0.02) }
}

/** Numbers of recurring vehicles, such as commuters, by kind. */
const RECURRING_VEHICLES: Record<Kind, number> = {
  motorcycle: 40,
  car: 2_500,
  'car-trailer': 60,
  van: 700,
  'van-trailer': 60,
  bus: 120,
  lorry: 500,
  articulated: 900,
  'road-train': 150,
}

/** Share of recurring vehicles. */
const RECURRING_SHARE = 0.2

/** A random vehicle: a recurring one, or a new one by seed. */
export const randomVehicle = (kind: Kind, seed: string, random: Random): Vehicle =>
  random.happens(RECURRING_SHARE)
    ? vehicleOf(kind, `regular:${random.whole(1, RECURRING_VEHICLES[kind])}`)
    : vehicleOf(kind, seed)

/** True axle loads, in kg, front to rear. */
export const loadsOf = ({ form, overloads }: Vehicle, random: Random): number[] =>
  // Overloading vehicles have normal loads in 25 %.
  axleLoadsOf(form.layout, grossOf(form.layout, random, overloads && random.happens(0.75)), random)
