import { expect, test } from 'vitest'
import { type Random, seededRandom } from '../core/random.ts'
import { offenderSince } from './criterion.ts'
import { foldOf, identityOf } from './identity.ts'
import { findJoin, mayBeMisread, neighboursOf, type Spelling } from './joins.ts'

/*
 * Repeaters among other lorries, with sister lorries of equal tractors and neighbouring numbers. Cameras read 2 % of plates
 * wrong: mostly a look-alike, sometimes a lost or an added character. A digit read as another digit is not among them: no
 * rule joins it.
 */
const REPEATERS = 100
const MISREAD = 0.02
const DAY = 86_400_000
const STATIONS = 12

type Lorry = { plate: string; country: string; gap: number; axles: number; length: number; overloads: number }
type Detection = {
  lorry: Lorry
  plate: string
  country: string | null
  gap: number
  axles: number
  locationId: number
  at: number
}

const ALIKE = ['O0', 'D0', 'I1', 'B8', 'S5', 'Z2', 'G6']
const LETTERS = 'ACEFGHJKLMNPRSTUVWXY'

const digits = (count: number, random: Random) => Array.from({ length: count }, () => random.below(10)).join('')
const letters = (count: number, random: Random) =>
  Array.from({ length: count }, () => random.pick([...LETTERS])).join('')

const polishPlate = (random: Random): string =>
  random.happens(0.5)
    ? random.pick(['WX', 'PO', 'BI', 'GD', 'SO', 'DW']) + digits(random.pick([3, 5]), random).padEnd(5, 'AC')
    : random.pick(['WGM', 'POS', 'BIA', 'SBI', 'DOL']) + random.pick([digits(5, random), `${digits(2, random)}AC`])

const FORMATS: [string, (random: Random) => string][] = [
  ['LT', (random) => letters(3, random) + digits(3, random)],
  ['D', (random) => `HH${letters(2, random)}${1_000 + random.below(9_000)}`],
  ['UA', (random) => `BC${digits(4, random)}AX`],
  ['FR', (random) => letters(2, random) + digits(3, random) + letters(2, random)],
]

/** The number after this one, as of a lorry bought on the same day. */
const sisterOf = (plate: string): string =>
  plate.replace(/\d+/, (number) => String((Number(number) + 1) % 10 ** number.length).padStart(number.length, '0'))

function misreadPlate(plate: string, random: Random): string {
  const at = random.below(plate.length)
  if (random.happens(0.05)) return plate.slice(0, at) + plate.slice(at + 1)
  if (random.happens(0.02)) return plate.slice(0, at) + random.pick([...'1IL']) + plate.slice(at)
  const places = [...plate].flatMap((character, place) =>
    ALIKE.filter((pair) => pair.includes(character)).map((pair) => [place, pair.replace(character, '')] as const),
  )
  if (places.length === 0) return plate
  const [place, character] = random.pick(places)
  return plate.slice(0, place) + character + plate.slice(place + 1)
}

function simulate(random: Random): Detection[] {
  const lorries: Lorry[] = []
  const used = new Set<string>()
  const add = (lorry: Lorry, sisters: number, overloads: number) => {
    if (used.has(lorry.plate)) return
    used.add(lorry.plate)
    lorries.push({ ...lorry, overloads })
    if (sisters > 0) add({ ...lorry, plate: sisterOf(lorry.plate) }, sisters - 1, 0)
  }
  let repeaters = 0
  while (lorries.length < 1_200) {
    const [country, format] = random.happens(0.7) ? (['PL', polishPlate] as const) : random.pick(FORMATS)
    const lorry = {
      plate: format(random),
      country,
      gap: 340 + random.below(50),
      axles: 5,
      length: 1_600 + random.below(80),
      overloads: 0,
    }
    const isRepeater = repeaters < REPEATERS && !used.has(lorry.plate)
    if (isRepeater) repeaters++
    add(lorry, isRepeater ? 3 : random.below(2), isRepeater ? 3 + random.below(4) : 0)
  }
  return lorries.flatMap((lorry) =>
    Array.from(
      { length: lorry.overloads > 0 ? 40 : 1 + random.below(30) },
      (_, index): Detection => ({
        lorry,
        plate: random.happens(MISREAD) ? misreadPlate(lorry.plate, random) : lorry.plate,
        country: random.happens(0.95) ? lorry.country : null,
        gap: lorry.gap + random.below(5) - 2,
        axles: lorry.axles + (random.happens(0.03) ? 1 : 0),
        locationId: random.below(STATIONS),
        // One detection a day and lorry, so that no lorry excludes itself.
        at: index * 9 * DAY + random.below(DAY / 2),
      }),
    ),
  )
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] as number

type DetectedSpelling = Spelling & { detections: Detection[] }

/** Spellings as an API would sum them up. */
function summarise(detections: Detection[]): DetectedSpelling[] {
  const identities = detections.map((detection) => ({
    detection,
    identity: identityOf(detection.plate, detection.country),
  }))
  const groups = Map.groupBy(identities, ({ identity }) => `${identity?.form} ${identity?.country}`)
  return [...groups.values()].map((group): DetectedSpelling => {
    const [{ identity } = { identity: null }] = group
    const own = group.map(({ detection }) => detection)
    return {
      form: identity?.form ?? '',
      country: identity?.country ?? null,
      count: own.length,
      firstAxleGap: median(own.map(({ gap }) => gap)),
      axleCounts: [...new Set(own.map(({ axles }) => axles))],
      length: null,
      ctg8p1: 9,
      sightings: own.map(({ locationId, at }) => ({ locationId, at })),
      detections: own,
    }
  })
}

test.each([1, 2])('finds misread plates of 100 repeaters among sister lorries: seed %s', (seed) => {
  const detections = simulate(seededRandom(seed))
  const spellings = summarise(detections)
  const byForm = Map.groupBy(spellings, ({ form }) => form)
  const byFold = Map.groupBy(spellings, ({ form }) => foldOf(form))
  const distanceBetween = (from: number, to: number) => 60 * Math.abs(from - to)

  const main = (spelling: DetectedSpelling): DetectedSpelling => {
    const neighbours = mayBeMisread(spelling) ? neighboursOf(spelling) : []
    const candidates = new Set([
      ...(byFold.get(foldOf(spelling.form)) ?? []),
      ...neighbours.flatMap((form) => byForm.get(form) ?? []),
    ])
    const join = findJoin(spelling, candidates, distanceBetween)
    return join ? main(join.other) : spelling
  }
  const vehicles = Map.groupBy(
    spellings.flatMap((spelling) => {
      const vehicle = main(spelling)
      return spelling.detections.map((detection) => ({ detection, vehicle }))
    }),
    ({ vehicle }) => vehicle,
  )

  // A vehicle belongs to the lorry whose plate it has.
  let [misread, found, joined, wrong] = [0, 0, 0, 0]
  const offenders = new Set<string>()
  for (const [vehicle, group] of vehicles) {
    for (const { detection } of group) {
      const isRight = detection.lorry.plate === vehicle.form
      const isMisread = detection.plate !== detection.lorry.plate
      if (isMisread && detection.lorry.overloads > 0) {
        misread++
        if (isRight) found++
      }
      if (detection.plate !== vehicle.form) {
        joined++
        if (!isRight) wrong++
      }
    }
    const overloaded = group.filter(({ detection }) => detection.lorry.overloads > 0)
    const overloads = overloaded.slice(0, overloaded[0]?.detection.lorry.overloads)
    if (offenderSince(overloads.map(({ detection }) => new Date(detection.at)))) offenders.add(vehicle.form)
  }
  expect(misread).toBeGreaterThan(50)
  expect(found / misread).toBeGreaterThanOrEqual(0.95)
  expect((joined - wrong) / joined).toBeGreaterThanOrEqual(0.99)
  expect(offenders.size).toBe(REPEATERS)
})
