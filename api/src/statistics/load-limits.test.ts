import { loads } from '@rogatka/contract/statistics-distributions.ts'
import { expect, test } from 'vitest'
import { json, sql } from '../core/statement.ts'
import { type TestApi, testApi } from '../testing/test-api.ts'
import { stationAt } from './testing.ts'

const POLISH = { gross: 40_000, drivingAxle: 11_500, otherAxle: 10_000 }

/** Adds a copy of the built-in limits with other loads; location 0 is every station. */
const addLimits = ({ db }: TestApi, locationId: number, validFrom: string, loads: object) =>
  db.execute(sql`
  insert into legal_limits (location_id, valid_from, limits, source)
  select ${locationId}, ${validFrom}, limits || ${json(loads)}, 'Test'
  from legal_limits where location_id = 0 order by valid_from limit 1`)

test('loads have the highest limits that are in force at each station at the end of the range, or now', async () => {
  const api = await testApi()
  api.clock.now = new Date('2026-12-03T12:00:00Z')
  for (const id of [5, 6]) await api.station(stationAt(id, 2))
  await addLimits(api, 5, '2026-11-01', {
    gross: [{ axles: { max: 4 }, limit: 38_000 }, { limit: 44_500 }],
    axle: { driving: 13_000, nonDriving: 10_500 },
  })
  await addLimits(api, 0, '2026-11-15', { gross: [{ limit: null }] })
  await addLimits(api, 5, '2026-12-04', { gross: [{ limit: 60_000 }] })
  const user = await api.as('Stat')
  const limitsUntil = async (until: string) => {
    const { body } = await user.call(loads, { query: { from: '2026-10-01', until, locations: '5,6' } })
    return body.map(({ limits, overloadBasis }) => ({ ...limits, overloadBasis }))
  }
  const overloadBasis = 'minimum'
  const own = { gross: 44_500, drivingAxle: 13_000, otherAxle: 10_500, overloadBasis }
  expect(await limitsUntil('2026-10-31')).toEqual([
    { ...POLISH, overloadBasis },
    { ...POLISH, overloadBasis },
  ])
  expect(await limitsUntil('2026-11-01')).toEqual([own, { ...POLISH, overloadBasis }])
  // A law without a limit of gross weight, and one that is not in force yet.
  expect(await limitsUntil('2026-12-31')).toEqual([own, { ...POLISH, gross: null, overloadBasis }])
})
