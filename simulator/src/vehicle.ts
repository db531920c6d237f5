import type { Euro } from '@rogatka/contract/vehicle.ts'
import { gapsOf } from './axles.ts'
import { catalogueOf } from './catalogue.ts'
import { isHeavy, type Kind, layouts } from './kinds.ts'
import { axleLoadsOf, grossOf } from './loads.ts'
import { type Nationality, nationalityOf, plateOf } from './plates.ts'
import { type Random, trafficRandom } from './random.ts'
import { type VehicleShape, vehicleShapeOf } from './vehicle-shape.ts'

/** A vehicle with what stays the same each time that it passes. */
export type Vehicle = {
  form: VehicleShape
  nationality: Nationality
  /** As it is embossed. */
  plate: string
  /** What the register knows, when the register answers for it. */
  euro: Euro | null
  /** Its haulier loads too much. */
  greedy: boolean
}

const plateGroupOf = (kind: Kind): Parameters<typeof nationalityOf>[0] =>
  kind === 'bus' ? 'coach' : isHeavy(kind) ? 'lorry' : 'light'

/** The vehicle that a seed stands for: the same seed, the same plate, axles and form. */
export const vehicleOf = (kind: Kind, seed: string): Vehicle => {
  const random = trafficRandom(`vehicle:${kind}:${seed}`)
  const layout = random.weighted(layouts[kind])
  const form = vehicleShapeOf(kind, layout, gapsOf(layout, random), random)
  const nationality = nationalityOf(plateGroupOf(kind), random)
  const plate = plateOf(nationality, random)
  const registered = random.happens(nationality === 'PL' ? 0.75 : 0.25)
  const euro = registered ? catalogueOf(kind, random) : null
  return { form, nationality, plate, euro, greedy: isHeavy(kind) && random.happens(0.02) }
}

/** How many vehicles come again and again, by kind: commuters and hauliers with a regular run. */
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

/** The part of the traffic that consists of them. */
const RECURRING_SHARE = 0.2

/** Whoever passes: one time in five a regular, whose plate returns, else somebody never seen before. */
export const anyVehicle = (kind: Kind, seed: string, random: Random): Vehicle =>
  random.happens(RECURRING_SHARE)
    ? vehicleOf(kind, `regular:${random.whole(1, RECURRING_VEHICLES[kind])}`)
    : vehicleOf(kind, seed)

/** True axle loads of one passage, kg, front to rear. */
export const loadsOf = ({ form, greedy }: Vehicle, random: Random): number[] =>
  // Even a greedy haulier drives home empty.
  axleLoadsOf(form.layout, grossOf(form.layout, random, greedy && random.happens(0.75)), random)
