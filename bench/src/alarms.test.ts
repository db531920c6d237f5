import { testApi } from '@rogatka/api/testing/test-api.ts'
import { expect, test } from 'vitest'
import { missingOf, replay } from './alarm-replay.ts'

test('every vehicle of the black list and on the wrong way of 20 minutes is shown in time, also in a flood', async () => {
  const { db, url, app } = await testApi()
  // The replay has a server of its own.
  await app.close()
  const from = new Date('2026-10-20T06:00:00Z')
  const result = await replay({
    db,
    url,
    stations: 2,
    traffic: 1,
    from,
    to: new Date('2026-10-20T06:20:00Z'),
    stepMs: 60_000,
    listedFactor: 300,
    wrongWayEvery: 10,
  })
  const { wrongWay, listed, raised, silentHigh } = result
  expect(wrongWay.length).toBeGreaterThan(8)
  expect(listed.length).toBeGreaterThan(4)
  expect(missingOf(result)).toEqual([])
  expect(silentHigh).toBe(0)
  // One alarm for each vehicle.
  const ids = wrongWay.map(({ id }) => id)
  expect(raised.filter(({ kind, subject }) => kind === 'wrong-way' && ids.includes(subject ?? 0))).toHaveLength(
    ids.length,
  )
})
