import { audit } from '@rogatka/contract/activity.ts'
import * as archive from '@rogatka/contract/archive.ts'
import * as current from '@rogatka/contract/current.ts'
import { post, quarantine } from '@rogatka/contract/ingest.ts'
import { addPlate } from '@rogatka/contract/wanted.ts'
import { expect, test } from 'vitest'
import { type Client, testApi } from '../testing/test-api.ts'

/** Measurements, quarantine, lists of vehicles and the audit log, and the same without plates. */
const FREE = ['ROLE_1', 'ROLE_2', 'ROLE_7', 'ROLE_12', 'ROLE_20']
const ANONYMISED = [...FREE, 'ROLE_37']

const range = (now: Date) => ({
  dateTimeStart: new Date(now.getTime() - 3_600_000).toISOString(),
  dateTimeEnd: new Date(now.getTime() + 3_600_000).toISOString(),
})

test('the audit log masks plates in subject and values for anonymised roles only', async () => {
  const api = await testApi()
  const [free, anonymised] = [await api.withPermissions(FREE), await api.withPermissions(ANONYMISED)]
  const body = { plateLpr: 'WGM 4K281', typeOfList: 0, description: 'Skradziony wgm-4k281' } as const
  expect((await free.call(addPlate, { body })).status).toBe(200)
  const entry = async (caller: Client) => {
    const { content } = (await caller.call(audit, { query: range(api.clock.now) })).body
    return content.find(({ action }) => action === 'wanted-plate-added')
  }
  const seen = await entry(free)
  expect(seen).toMatchObject({ subject: 'WGM4K281', before: null })
  expect(seen?.after).toMatchObject({ plateLpr: 'WGM4K281', description: 'Skradziony wgm-4k281' })
  const masked = await entry(anonymised)
  expect(masked).toMatchObject({ ...seen, subject: 'WG******', after: expect.anything() })
  expect(masked?.after).toEqual({
    ...(seen?.after as object),
    plateLpr: 'WG******',
    description: 'Skradziony WG******',
  })
})

test('a rejected measurement is masked for anonymised roles only', async () => {
  const api = await testApi()
  const [free, anonymised] = [await api.withPermissions(FREE), await api.withPermissions(ANONYMISED)]
  const rejected = { sequence: 1, plateLpr: 'WGM4K281', note: 'seen by Jan' }
  const headers = { 'content-type': 'application/json' }
  const sent = await (await api.station()).call(post, { payload: JSON.stringify([rejected]), headers })
  expect(sent.body.rejected).toHaveLength(1)
  const measurement = async (caller: Client) => (await caller.call(quarantine)).body.content[0]?.measurement
  expect(await measurement(free)).toEqual(rejected)
  expect(await measurement(anonymised)).toEqual({ sequence: 1, plateLpr: 'WG******', '***': '***' })
})

test('a filter and each sort by plate are refused to anonymised roles only, naming which', async () => {
  const api = await testApi()
  await api.station()
  const [free, anonymised] = [await api.withPermissions(FREE), await api.withPermissions(ANONYMISED)]
  const query = { ...range(api.clock.now), locations: '7' }
  const refused = [
    [{ plateLpr: 'WGM4K28?' }, 'plateLpr'],
    [{ plates: 'WGM4K281:PL,WGM4K28I' }, 'plates'],
    [{ orderByColumnName1: 'plateLpr' }, 'orderByColumnName'],
    [{ orderByColumnName2: 'plateLpr' }, 'orderByColumnName'],
    [{ orderByColumnName3: 'plateLpr' }, 'orderByColumnName'],
  ] as const
  for (const [plateQuery, path] of refused) {
    const { status, errors } = await anonymised.call(archive.search, { query: { ...query, ...plateQuery } })
    expect([status, errors]).toEqual([403, [expect.objectContaining({ code: 'plates-are-anonymised', path })]])
    expect((await free.call(archive.search, { query: { ...query, ...plateQuery } })).status).toBe(200)
  }
  const live = (caller: Client, plateQuery: object) => caller.call(current.list, { query: plateQuery })
  expect((await live(anonymised, { plateLpr: 'W*' })).errors[0]?.path).toBe('plateLpr')
  expect((await live(anonymised, { orderByColumnName: 'plateLpr' })).errors[0]?.path).toBe('orderByColumnName')
  expect((await live(anonymised, { orderByColumnName: 'speed' })).status).toBe(200)
  expect((await live(free, { plateLpr: 'W*', orderByColumnName: 'plateLpr' })).status).toBe(200)
})
