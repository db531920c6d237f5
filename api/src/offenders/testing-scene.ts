import type { WireMeasurement } from '@rogatka/contract/ingest.ts'
import * as endpoints from '@rogatka/contract/offenders.ts'
import { expect } from 'vitest'
import { send } from '../ingest/testing.ts'
import { lorry } from '../inspections/testing.ts'
import { type Client, testApi, testStation } from '../testing/test-api.ts'
import { deriveOffenders } from './derive.ts'

/** 90 km from the test station. */
const FAR_STATION = { ...testStation, id: 8, shortName: 'S8 Far', name: 'Far', chainage: '91+000' }

/** What verification finds in correct counts. */
export const NOTHING_WRONG = { differences: [], wrongSums: 0, wrongCarriers: 0, wrongVehicles: 0, unread: 0 }

let sequences = 0

/** The number of the next passage. */
export const nextSequence = (): number => ++sequences

/** A lorry of 37.5 t, overloaded of 56 t. */
export const passage = (
  plateLpr: string | null,
  at: Date | string,
  overloaded: boolean,
  more: Partial<WireMeasurement> = {},
) => {
  const weight = overloaded ? 5_600 : 3_750
  const gaps = [0, 374, 562, 131, 131]
  return lorry(nextSequence(), {
    createdAt: new Date(at).toISOString(),
    plateLpr,
    axles: gaps.map((gap) => ({ leftWeight: weight, rightWeight: weight, gap })),
    ...more,
  })
}

/** Passages on days of October from the first, at noon, the first `overloads` of them overloaded. */
export const passages = (plate: string, count: number, overloads: number, more: Partial<WireMeasurement> = {}) =>
  Array.from({ length: count }, (_, day) =>
    passage(plate, `2026-10-${String(day + 1).padStart(2, '0')}T10:00:00Z`, day < overloads, more),
  )

/** A portal with two stations and a user who sees offenders. */
export async function scene() {
  const api = await testApi()
  const stations = [await api.station(), await api.station(FAR_STATION)] as const
  const user = await api.as('Offenders')
  const listed = async (query: object = {}) => (await user.call(endpoints.list, { query })).body
  const plates = async (query: object = {}) =>
    (await listed(query)).content.map(({ vehicle, passages, overloads }) => [vehicle?.plate, passages, overloads])
  const store = async (station: Client, vehicles: WireMeasurement[]) => {
    for (let from = 0; from < vehicles.length; from += 1_000)
      expect((await send(station, vehicles.slice(from, from + 1_000))).body.rejected).toEqual([])
  }
  return { api, stations, user, listed, plates, store, derive: () => deriveOffenders(api.db, api.clock.now) }
}

/** The id of a plate, of the list that the query gives. */
export const idOf = async (user: Client, plate: string, query: object = {}): Promise<number> => {
  const { content } = (await user.call(endpoints.list, { query: { minOverloads: 1, limit: 100, ...query } })).body
  return content.find(({ vehicle }) => vehicle?.plate === plate)?.vehicle?.id as number
}
