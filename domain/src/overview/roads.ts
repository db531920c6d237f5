import type { AlarmPriority } from '@rogatka/contract/alarms.ts'
import type { WireOverviewStation } from '@rogatka/contract/overview.ts'

/*
 * Roads and their stations: order, chainage, and the figures of a road as sums of its stations.
 */

/** Order of the classes of Polish roads: motorways, expressways, national, voivodeship roads; then all others. */
const CLASSES = ['A', 'S', 'DK', 'DW']

/** Sorts by class, then by number: A2, A18, S8, DK50. */
export function compareRoads(a: string, b: string): number {
  const keyOf = (road: string) => {
    const [, name = '', number = '0'] = /^(\D*)(\d*)/.exec(road) ?? []
    const at = CLASSES.indexOf(name.trim().toUpperCase())
    return { at: at < 0 ? CLASSES.length : at, number: Number(number) }
  }
  const [first, second] = [keyOf(a), keyOf(b)]
  return first.at - second.at || first.number - second.number || a.localeCompare(b, 'pl')
}

/** Chainage in km: 512+400 is 512.4. Null if it has another form. */
export function chainageKm(chainage: string): number | null {
  const [, km, metres = '0'] = /^\s*(\d+)(?:[+,.](\d{1,3}))?\s*$/.exec(chainage) ?? []
  return km === undefined ? null : Number(km) + Number(metres.padEnd(3, '0')) / 1_000
}

const METRES = 1_000

/**
 * Chainage of what is this many metres behind a station in the direction of travel: 512+400 and 1,700 m are 514+100. Null if
 * the direction of the chainage is not known, or it has another form.
 */
export function chainageAfter(chainage: string, ascends: boolean | null, metres: number): string | null {
  const start = chainageKm(chainage)
  if (start === null || ascends === null) return null
  const at = Math.round(start * METRES) + (ascends ? metres : -metres)
  if (at < 0) return null
  return `${Math.floor(at / METRES)}+${String(at % METRES).padStart(3, '0')}`
}

/** Whether the station counts as working: it has sent, and is not silent. */
export const isWorking = ({ lastMessageAt, silentSince }: Condition): boolean =>
  lastMessageAt !== null && silentSince === null

type Condition = Pick<WireOverviewStation, 'lastMessageAt' | 'silentSince' | 'perHour' | 'signs'>

/**
 * `bad`: silent, a sign reports a fault, or an alarm is high; `attention`: traffic outside its usual band, or an alarm is
 * medium; else null. `alarm`: the worst one of the station.
 */
export function severityOf(
  { silentSince, signs, perHour }: Condition,
  alarm?: AlarmPriority | null,
): 'bad' | 'attention' | null {
  if (silentSince !== null || signs?.state === 'fault' || alarm === 'high') return 'bad'
  return perHour.unusual === null && alarm !== 'medium' ? null : 'attention'
}

type Figures = Condition & Pick<WireOverviewStation, 'overloaded' | 'wanted' | 'tickets'>

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** Sum of the known values; null if none is known. */
const sumOfKnown = (values: readonly (number | null | undefined)[]): number | null => {
  const known = values.filter((value) => value != null)
  return known.length === 0 ? null : sum(known)
}

/** Figures of several stations together. */
export function sumUp(stations: readonly Figures[]) {
  const comparable = stations.flatMap(({ perHour: { vehicles, usual } }) =>
    vehicles === null || usual === null ? [] : [{ vehicles, median: usual.median }],
  )
  const usual = sum(comparable.map(({ median }) => median))
  const shares = stations.flatMap(({ overloaded: { weighed, percent } }) =>
    weighed === null || percent === null ? [] : [{ weighed, percent }],
  )
  const weighed = sum(shares.map((share) => share.weighed))
  return {
    stations: stations.length,
    working: stations.filter(isWorking).length,
    vehicles: sumOfKnown(stations.map(({ perHour }) => perHour.vehicles)),
    /** Difference to the usual, percent, of stations where both are known. */
    difference: usual === 0 ? null : (100 * sum(comparable.map(({ vehicles }) => vehicles))) / usual - 100,
    unusual: stations.some(({ perHour }) => perHour.unusual !== null),
    /** Percent, of stations with enough weighed vehicles. */
    overloaded: weighed === 0 ? null : sum(shares.map((share) => share.weighed * share.percent)) / weighed,
    wanted: sumOfKnown(stations.map(({ wanted }) => wanted)),
    tickets: sumOfKnown(stations.map(({ tickets }) => tickets)),
    /** Null without signs. */
    signs: sumOfKnown(stations.map(({ signs }) => signs?.total)),
    workingSigns: sumOfKnown(stations.map(({ signs }) => signs?.working)) ?? 0,
    faultySigns: stations.some(({ signs }) => signs?.state === 'fault'),
  }
}
export type Sum = ReturnType<typeof sumUp>
