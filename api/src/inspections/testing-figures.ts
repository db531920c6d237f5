import type { WireOf } from '@rogatka/contract/endpoint.ts'
import type { InspectionResult } from '@rogatka/contract/inspections.ts'
import type { figures } from '@rogatka/contract/inspections-figures.ts'
import { type Selection, selections } from '@rogatka/contract/options.ts'
import { type Random, seededRandom } from '@rogatka/domain/core/random.ts'
import { sql, valuesOf } from '../core/statement.ts'
import type { TestApi } from '../testing/test-api.ts'
import { updateFigures } from './figure-row-queries.ts'
import { inspectionScene, open, SCALE } from './testing.ts'
import { measuredOf, weighingColumns } from './weighing.ts'

/** Loads in kg by axle group; null: not weighed. */
type Layout = (number | null)[][]

/** An inspection as it is stored, without what the figures do not need. `sums`: loads of the groups, if not those of their axles. */
export type InspectionFixture = {
  at: Date
  locationId: number
  /** Null: stopped without a detection. */
  wim: { lane: number; gross: number | null; groups: Layout; sums?: number[]; flagged: boolean } | null
  selection: Selection
  wasAnnounced: boolean
  officerId: number | null
  shift: string
  /** Null: not weighed; groups empty: only the whole vehicle was. */
  scale: {
    gross: number
    groups: number[][]
    sums?: number[]
    isValid: boolean
    /** Of axles that are not those of the measurement, the spacings were not entered. */
    withoutGaps?: boolean
  } | null
  confirmed: boolean
  /** How it ended without weights; otherwise it is open if it was taken over, else passed by. */
  end?: { state: 'announced' | 'withdrawn' | 'closed'; results?: InspectionResult[] } | undefined
}

const numbered = (groups: readonly (readonly unknown[])[]) => {
  let last = 0
  return groups.map((group) => group.map(() => ++last))
}

/** Spacings in cm that make these groups; 0 for the first axle. */
const gapsOf = (groups: readonly (readonly unknown[])[]) =>
  groups.flatMap((group, at) => group.map((_, index) => (index > 0 ? 130 : at > 0 ? 400 : 0)))

/** The weighing, as the portal stores it. */
function weighingOf({ at, scale }: InspectionFixture, passage: object | null) {
  if (!scale) return null
  const { groups, gross, sums, isValid, withoutGaps } = scale
  const weights = {
    gross,
    axles: groups.length > 0 ? groups.flat() : null,
    gaps: groups.length > 0 && !withoutGaps ? gapsOf(groups).slice(1) : null,
    groups: null,
  }
  const { weighing } = weighingColumns(weights, {
    measured: passage && measuredOf(passage),
    ctg8p1: null,
    limits: null,
    scale: { ...SCALE, id: 1 },
    at,
  })
  return {
    ...weighing,
    groups: weighing.groups.map((group, at) => ({ ...group, load: sums?.[at] ?? group.load })),
    isScaleValid: isValid,
    excesses: [],
  }
}

const sum = (loads: readonly (number | null)[]) => loads.reduce<number>((all, load) => all + (load ?? 0), 0)

/** Stores inspections, of which one that was made through the API is the template; returns their ids. */
export async function storeInspections(api: TestApi, made: readonly InspectionFixture[]): Promise<number[]> {
  const [template] = await api.db.query<{ passage: { axles: object[]; axlesComplex: object }; userId: number }>(sql`
    select passage, announced_by as "userId" from inspection where passage is not null order by id limit 1`)
  if (!template) throw new Error('an inspection is needed')
  const [axle] = template.passage.axles
  const [count] = await api.db.query<{ count: number }>(sql`select count(*)::int as count from inspection`)
  const rows = made.map((one, index) => {
    const { wim } = one
    const number = (count?.count ?? 0) + index + 1
    const axleNumbers = numbered(wim?.groups ?? [])
    const passage = wim && {
      ...template.passage,
      createdAt: one.at.toISOString(),
      overload: wim.flagged,
      totalLoad: wim.gross,
      axles: wim.groups.flat().map((load, at) => ({
        ...axle,
        gap: gapsOf(wim.groups)[at],
        leftWeight: load && Math.floor(load / 2),
        rightWeight: load && Math.ceil(load / 2),
        totalLoad: load ?? 0,
      })),
      axlesComplex: {
        ...template.passage.axlesComplex,
        totalLoad: wim.gross ?? 0,
        axlesGroups: wim.groups.map((group, at) => ({
          type: group.length,
          totalLoad: wim.sums?.[at] ?? sum(group),
          minTotalLoad: sum(group),
          maxTotalLoad: sum(group),
          limitTotalLoad: null,
          overload: 0,
          axles: axleNumbers[at],
        })),
      },
    }
    const weighing = weighingOf(one, passage)
    const taken = one.officerId === null ? null : new Date(one.at.getTime() + (one.wasAnnounced ? 600_000 : 0))
    return {
      code: 'GEN',
      year: 2026,
      sequence: number,
      state: weighing ? 'closed' : (one.end?.state ?? (taken ? 'takenOver' : 'passedBy')),
      results: `{${(weighing ? [] : (one.end?.results ?? [])).join()}}`,
      was_announced: one.wasAnnounced,
      selection: one.selection,
      location_id: one.locationId,
      vehicle_id: wim ? number : null,
      vehicle_created_at: wim ? one.at : null,
      passage: passage && JSON.stringify(passage),
      lane_number: wim?.lane ?? null,
      was_overload: wim?.flagged ?? null,
      // After the detection.
      announced_at: wim ? new Date(one.at.getTime() + 60_000) : one.at,
      announced_by: template.userId,
      officer_id: one.officerId,
      taken_over_at: taken,
      passes_at: one.at,
      shift_day: '2026-01-01',
      shift_start: one.shift,
      weighing: weighing && JSON.stringify(weighing),
      confirmed: weighing && one.confirmed,
      idempotency_key: `generated-${number}`,
      request_digest: '',
    }
  })
  const ids: number[] = []
  while (rows.length > 0) {
    const stored = await api.db.query<{ id: number }>(
      sql`insert into inspection ${valuesOf(rows.splice(0, 500))} returning id`,
    )
    ids.push(...stored.map(({ id }) => id))
  }
  await api.db.transaction((db) => updateFigures(db, ids))
  return ids
}

/** A station with an inspection made through the API, which is the template of stored ones, and is in no figure. */
export async function figureScene(api: TestApi) {
  const scene = await inspectionScene(api, 1)
  const { id } = await open(await api.as('Inspections'), 1)
  await api.db.execute(sql`delete from inspection_figure where inspection_id = ${id}`)
  return scene
}

const SHAPES: readonly number[][] = [
  [1, 1, 3],
  [1, 2, 2],
  [1, 1],
  [1, 1, 1, 1],
  [2, 3],
]
export const FIRST = Date.parse('2026-01-10T00:00:00Z')
const LAST = Date.parse('2026-10-19T00:00:00Z')
/** The first of a Polish month and the instant before. */
const BOUNDARIES = ['2026-03-31T22:00:00.000Z', '2026-03-31T21:59:59.999Z', '2026-10-01T00:00:00.000Z']

/** A load near another one. */
const near = (random: Random, load: number) => Math.round(load * (0.9 + 0.25 * random.next()))

function randomScaleLoads(random: Random, wim: Layout): number[][] {
  const loads = wim.flat().map((load) => near(random, load ?? 6_000))
  const kind = random.next()
  if (kind < 0.1) return []
  if (kind < 0.2) return [...wim.map((group) => group.map(() => loads.shift() as number)), [5_000]]
  // The same axles in other groups.
  if (kind < 0.3) return [loads.slice(0, 1), loads.slice(1)].filter((group) => group.length > 0)
  return wim.map((group) => group.map(() => loads.shift() as number))
}

/** Ends of inspections that were taken over, and of others, by number. */
const ENDS: readonly InspectionFixture['end'][] = [
  { state: 'closed', results: [9] },
  { state: 'closed', results: [9, 10] },
  { state: 'closed', results: [10, 11] },
  { state: 'closed', results: [11] },
  { state: 'withdrawn' },
  undefined,
]
const EARLY_ENDS: readonly InspectionFixture['end'][] = [{ state: 'withdrawn' }, { state: 'announced' }, undefined]

/** Random inspections of 2026, complete and incomplete ones, of the officers. */
export function randomInspections(
  count: number,
  officers: readonly number[],
  stations: readonly number[],
): InspectionFixture[] {
  const random = seededRandom(7)
  return Array.from({ length: count }, (_, index): InspectionFixture => {
    const selection = random.pick(selections)
    const isLight = random.next() < 0.15
    const groups = (random.pick(SHAPES) as number[]).map((axles) =>
      Array.from({ length: axles }, () =>
        random.next() < 0.02 ? null : Math.round((isLight ? 400 : 4_000) + (isLight ? 1_500 : 6_000) * random.next()),
      ),
    )
    const isMeasured = selection !== 'random' || random.next() < 0.9
    const scale = random.next() < 0.7 ? randomScaleLoads(random, groups) : null
    const isTaken = scale !== null || random.next() < 0.5
    const isValid = random.next() < 0.95
    return {
      at: new Date(BOUNDARIES[index] ?? FIRST + Math.floor((LAST - FIRST) * random.next())),
      locationId: random.pick(stations),
      wim: isMeasured
        ? {
            lane: 1 + Math.floor(2 * random.next()),
            gross: groups.flat().every((load) => load !== null) ? sum(groups.flat()) : null,
            groups,
            flagged: random.next() < 0.5,
          }
        : null,
      selection,
      wasAnnounced: random.next() < 0.7 || !isTaken,
      officerId: isTaken ? random.pick(officers) : null,
      shift: random.pick(['06:00', '14:00', '22:00']),
      scale: scale && {
        gross: scale.length > 0 ? sum(scale.flat()) : near(random, sum(groups.flat())),
        groups: scale,
        isValid,
        withoutGaps: scale.flat().length > groups.flat().length && random.next() < 0.5,
      },
      confirmed: isValid && random.next() < 0.6,
      end: isTaken ? ENDS[index % ENDS.length] : EARLY_ENDS[index % EARLY_ENDS.length],
    }
  })
}

/** All of the generated inspections. */
export const YEAR = { dateTimeStart: '2026-01-01T00:00:00Z', dateTimeEnd: '2027-01-01T00:00:00Z' }

/** Part and whole of each rate. */
export const countsOf = ({ hitRate, stopRate, missedRate }: WireOf<typeof figures, 'response'>['total']) =>
  [hitRate, stopRate, missedRate].map(({ part, of }) => `${part}/${of}`).join(' ')
