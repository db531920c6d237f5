import { type Random, seededRandom } from '@rogatka/domain/core/random.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'

/*
 * Traffic with planted repeat offenders, whose plates are misread in one of their three overloads, so that none of them is
 * found without joins. Their fleets have sister lorries with equal tractors, neighbouring numbers and two overloads, so
 * that a wrong join makes one more offender. What is misread, and how, is written here, not taken from the rules of joins.
 */

/** A passage with the plate that was read, and that of the lorry. Lengths in cm. */
export type PlantedPassage = {
  plate: string
  country: string
  read: string
  /** Null: not read. */
  readCountry: string | null
  isPlanted: boolean
  at: Date
  /** From 0. */
  station: number
  axles: number
  firstAxleGap: number
  overloaded: boolean
}

type PlantingOptions = {
  seed: number
  repeaters: number
  /** Other lorries, most of them in fleets. */
  lorries: number
  cars: number
  stations: number
  /** First day, and number of days. */
  start: Date
  days: number
}

/** Share of plates that cameras misread. */
const MISREAD = 0.02
const LOOK_ALIKES = ['0O', '0D', '0Q', '1I', '8B', '5S', '2Z', '6G']
const LETTERS = 'ACEFGHJKLMNPRSTUVWXY'
const COUNTIES = ['WX', 'WI', 'PO', 'BI', 'GD', 'SO', 'WGM', 'WPR', 'POS', 'BIA', 'SBI', 'EBE']

const pad = (value: number, digits: number) => String(value).padStart(digits, '0')

/** Plates of a fleet, whose numbers follow each other. */
function fleetPlates(size: number, random: Random): { plates: string[]; country: string } {
  const [a, b] = [random.pick([...LETTERS]), random.pick([...LETTERS])]
  const first = 10_000 + random.below(80_000)
  const numbers = Array.from({ length: size }, (_, index) => first + index)
  if (random.happens(0.75)) {
    const county = random.pick(COUNTIES)
    return { plates: numbers.map((number) => `${county}${pad(number % 100_000, 5)}`), country: 'PL' }
  }
  if (random.happens(0.5))
    return { plates: numbers.map((number) => `${a}${b}K${pad(number % 1_000, 3)}`), country: 'LT' }
  return { plates: numbers.map((number) => `B${a}${b}${number % 10_000}`), country: 'D' }
}

/** Mostly a look-alike, sometimes a lost or an added character; null without a character that is ever misread. */
function misread(plate: string, random: Random): string | null {
  const at = 1 + random.below(plate.length - 2)
  const how = random.next()
  if (how < 0.05) return plate.slice(0, at) + plate.slice(at + 1)
  if (how < 0.08) return plate.slice(0, at) + random.pick(['1', 'I', '7']) + plate.slice(at)
  const changes = [...plate].flatMap((character, place) =>
    LOOK_ALIKES.filter((pair) => pair.includes(character)).map(
      (pair) => plate.slice(0, place) + pair.replace(character, '') + plate.slice(place + 1),
    ),
  )
  return changes.length === 0 ? null : random.pick(changes)
}

type Vehicle = Pick<PlantedPassage, 'plate' | 'country' | 'axles' | 'firstAxleGap' | 'isPlanted'>

/** Passages in no particular order; equal seeds give equal passages. Each vehicle passes once a day at most. */
export function plantOffenders({
  seed,
  repeaters,
  lorries,
  cars,
  stations,
  start,
  days,
}: PlantingOptions): PlantedPassage[] {
  const random = seededRandom(seed)
  const used = new Set<string>()
  const passages: PlantedPassage[] = []
  const drive = (vehicle: Vehicle, count: number, overloads: number) => {
    const first = random.below(days)
    for (let nth = 0; nth < count; nth++) {
      const read = random.happens(MISREAD) ? misread(vehicle.plate, random) : null
      const day = (first + Math.floor((nth * days) / count)) % days
      passages.push({
        ...vehicle,
        read: (vehicle.isPlanted && nth === 1 ? misread(vehicle.plate, random) : read) ?? vehicle.plate,
        readCountry: random.happens(0.97) ? vehicle.country : null,
        at: new Date(start.getTime() + day * DAY_MS + random.below(DAY_MS / 4)),
        station: random.below(stations),
        axles: vehicle.axles + (random.happens(0.02) ? 1 : 0),
        firstAxleGap: vehicle.firstAxleGap + random.below(5) - 2,
        overloaded: nth < overloads,
      })
    }
  }
  const addFleet = (size: number, isRepeater: boolean): number => {
    const { plates, country } = fleetPlates(size, random)
    if (plates.some((plate) => used.has(plate)) || (isRepeater && !/[012568]/.test(plates[0] as string))) return 0
    const [axles, firstAxleGap] = [5, 345 + random.below(45)]
    plates.forEach((plate, index) => {
      used.add(plate)
      const isPlanted = isRepeater && index === 0
      const count = Math.min(days, isPlanted ? 25 + random.below(30) : 1 + random.below(20))
      drive({ plate, country, axles, firstAxleGap, isPlanted }, count, isPlanted ? 3 : Math.min(2, count))
    })
    return size
  }
  for (let planted = 0; planted < repeaters; ) if (addFleet(4, true) > 0) planted++
  for (let added = 0; added < lorries; ) added += addFleet(1 + random.below(6), false)
  for (let added = 0; added < cars; added++) {
    const { plates, country } = fleetPlates(1, random)
    const [plate] = plates as [string]
    const car = { plate, country, axles: 2, firstAxleGap: 250 + random.below(30), isPlanted: false }
    if (!used.has(plate)) drive(car, 1 + random.below(3), 0)
  }
  return passages
}
