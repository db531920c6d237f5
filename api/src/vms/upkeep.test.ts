import { audit } from '@rogatka/contract/activity.ts'
import { disableVariant, enableVariant, groups } from '@rogatka/contract/vms.ts'
import * as endpoints from '@rogatka/contract/vms-upkeep.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { errorCodes } from '../ingest/testing.ts'
import { eventually, testApi } from '../testing/test-api.ts'
import { injectFaults } from './simulated/queries.ts'
import { testSigns } from './testing.ts'

const RANGE = { dateTimeStart: '2026-10-20T00:00:00Z', dateTimeEnd: '2026-10-21T00:00:00Z' }
const PLACE = { roadNumber: 'S8', chainage: '3+000', driver: 'simulated' as const, host: '10.0.0.9', port: 161 }

test('groups and signs are added, changed and deleted only while disabled and unused, with versions and audit', async () => {
  const api = await testApi()
  const { groupId, signIds, contents } = await testSigns(api)
  const admin = await api.as('UsersAdmin', 'UserManagement')
  const operator = await api.as('Vms')
  const group = { locationId: 7, description: 'Objazd', variants: ['Objazd'] }
  const { body: added } = await admin.call(endpoints.addSignGroup, { body: group })
  expect(added).toMatchObject({ ...group, shortName: 'S8 Test', enabled: false, signs: [], version: 1 })
  const unknown = await admin.call(endpoints.addSignGroup, { body: { ...group, locationId: 99 } })
  expect(errorCodes(unknown.errors)).toEqual(['locationId: location-not-found'])
  const params = { id: added.id }
  const sign = { ...PLACE, community: 'tajne', showsPlates: false, contentIds: [contents.slow] }
  const { body: withSign } = await admin.call(endpoints.addSign, { params, body: sign })
  const [first] = withSign.signs
  if (!first) throw new Error('the sign was added')
  expect(first).toMatchObject({ ...PLACE, number: 1, contentIds: [contents.slow] })
  expect(JSON.stringify(withSign)).not.toContain('tajne')
  for (const [change, error] of [
    [{ contentIds: [] }, 'contentIds: contents-by-variant'],
    [{ contentIds: [999] }, 'contentIds: content-not-found'],
    [{ showsPlates: true }, 'showsPlates: plate-sign-exists'],
    [{ host: 'a b' }, 'host: invalid-value'],
    [{ port: 70_000 }, 'port: value-too-large'],
  ] as [object, string][]) {
    const { errors } = await admin.call(endpoints.addSign, { params, body: { ...sign, ...change } })
    expect(errorCodes(errors)).toEqual([error])
  }

  const two = { description: 'Objazd DK50', variants: ['Objazd', 'Stop'], version: withSign.version }
  const { body: changed } = await admin.call(endpoints.changeSignGroup, { params, body: two })
  expect([changed.variants, changed.signs[0]?.contentIds]).toEqual([two.variants, [contents.slow, null]])
  expect((await admin.call(endpoints.changeSignGroup, { params, body: two })).errors[0]?.code).toBe('changed-meanwhile')
  const signParams = { params: { id: first.id } }
  const moved = { ...PLACE, chainage: '3+100', showsPlates: false, contentIds: [contents.weigh, contents.slow] }
  const late = await admin.call(endpoints.changeSign, { ...signParams, body: { ...moved, version: withSign.version } })
  expect(late.errors[0]?.code).toBe('changed-meanwhile')
  await admin.call(endpoints.changeSign, { ...signParams, body: { ...moved, version: changed.version } })
  const [row] = await api.db.query<{ community: string }>(sql`select community from vms_sign where id = ${first.id}`)
  expect(row?.community).toBe('tajne')
  const [shown] = (await operator.call(groups)).body.filter(({ group }) => group.id === added.id)
  expect(shown?.vms[0]?.vms.chainage).toBe('3+100')

  expect((await admin.call(endpoints.removeSignGroup, { params })).errors[0]?.code).toBe('sign-group-in-use')
  expect((await admin.call(endpoints.removeSign, signParams)).status).toBe(204)
  expect((await admin.call(endpoints.removeSign, signParams)).errors[0]?.code).toBe('sign-not-found')
  expect((await admin.call(endpoints.removeSignGroup, { params })).status).toBe(204)

  // While it is enabled, only names change.
  await operator.call(enableVariant, { params: { groupId, variantId: 2 } })
  const enabled = { params: { id: groupId } }
  const names = { description: 'Preselekcja S8', variants: ['Kontrola', 'Wolniej'] }
  expect((await admin.call(endpoints.changeSignGroup, { ...enabled, body: names })).body.enabled).toBe(true)
  const refused = [
    await admin.call(endpoints.changeSignGroup, { ...enabled, body: { ...names, variants: ['Kontrola'] } }),
    await admin.call(endpoints.addSign, { ...enabled, body: { ...sign, contentIds: [null, null] } }),
    await admin.call(endpoints.removeSign, { params: { id: signIds[0] } }),
    await admin.call(endpoints.changeSignContent, {
      params: { id: contents.weigh },
      body: { description: 'Waga', pictogram: 'weigh', graphic: 9, lines: [] },
    }),
  ]
  expect(refused.map(({ errors }) => errors[0]?.code)).toEqual(Array(4).fill('sign-group-enabled'))
  await operator.call(disableVariant, { params: { groupId } })
  await admin.call(endpoints.changeSignGroup, { ...enabled, body: { ...names, variants: ['Kontrola'] } })
  const { body: left } = await operator.call(groups)
  expect([left[0]?.selectedVariant, left[0]?.vms[0]?.contentVariants.length]).toEqual([1, 1])

  const log = (await admin.call(audit, { query: { ...RANGE, limit: 50 } })).body.content
  expect(log.map(({ action }) => action).filter((action) => /^sign-(?!en|dis)/.test(action))).toEqual([
    'sign-group-changed',
    'sign-group-changed',
    'sign-group-deleted',
    'sign-deleted',
    'sign-changed',
    'sign-group-changed',
    'sign-added',
    'sign-group-added',
  ])
  expect(JSON.stringify(log)).not.toContain('tajne')
})

test('a group does not change while its signs are being enabled', async () => {
  const api = await testApi()
  const { groupId, signIds, contents } = await testSigns(api)
  const admin = await api.as('UsersAdmin')
  const operator = await api.as('Vms')
  for (const id of signIds) await injectFaults(api.db, id, { delayMs: 1_000 })
  const enabling = operator.call(enableVariant, { params: { groupId, variantId: 1 } })
  await eventually(async () =>
    expect(await api.db.query(sql`select from vms_command where done_at is null`)).toHaveLength(2),
  )
  const refused = [
    await admin.call(endpoints.removeSign, { params: { id: signIds[0] } }),
    await admin.call(endpoints.changeSignContent, {
      params: { id: contents.weigh },
      body: { description: 'Waga', pictogram: 'weigh', graphic: 9, lines: [] },
    }),
  ]
  expect(refused.map(({ errors }) => errors[0]?.code)).toEqual(['sign-group-enabled', 'sign-group-enabled'])
  expect((await enabling).body.results.map(({ done }) => done)).toEqual([true, true])
})

test('refuses one of two concurrent requests that add a plate sign to a station, or that use and delete a content', async () => {
  const api = await testApi()
  await api.station()
  const [first, second] = [await api.as('UsersAdmin'), await api.as('UsersAdmin')]
  const create = async (description: string) =>
    (await first.call(endpoints.addSignGroup, { body: { locationId: 7, description, variants: ['Objazd'] } })).body.id
  const groupIds = [await create('Objazd'), await create('Preselekcja')] as const
  const sign = { ...PLACE, showsPlates: true, contentIds: [null] }
  const both = await Promise.all([
    first.call(endpoints.addSign, { params: { id: groupIds[0] }, body: sign }),
    second.call(endpoints.addSign, { params: { id: groupIds[1] }, body: sign }),
  ])
  expect(both.map(({ status, errors }) => [status, errors[0]?.code]).toSorted()).toEqual([
    [200, undefined],
    [409, 'plate-sign-exists'],
  ])

  const content = { description: 'Zjazd', pictogram: null, graphic: null, lines: ['ZJAZD'] }
  const { body: added } = await first.call(endpoints.addSignContent, { body: content })
  // The deletion is not committed yet.
  const adding = await api.db.transaction(async (db) => {
    await db.execute(sql`delete from vms_content where id = ${added.id}`)
    const adding = second.call(endpoints.addSign, {
      params: { id: groupIds[0] },
      body: { ...sign, showsPlates: false, contentIds: [added.id] },
    })
    await eventually(async () =>
      expect(
        await api.db.query(
          sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        ),
      ).toHaveLength(1),
    )
    return { adding }
  })
  expect((await adding.adding).errors).toMatchObject([{ path: 'contentIds', code: 'content-not-found' }])
})

test('contents are added, changed by version, and deleted unless a sign has them', async () => {
  const api = await testApi()
  const { contents } = await testSigns(api)
  const admin = await api.as('UsersAdmin')
  const body = { description: 'Zjazd', pictogram: 'exit-right' as const, graphic: 7, lines: ['ZJAZD'] }
  const { body: added } = await admin.call(endpoints.addSignContent, { body })
  expect(added).toEqual({ ...body, id: added.id, uses: 0, version: 1 })
  for (const [change, error] of [
    [{}, 'description: content-name-taken'],
    [{ description: 'a', graphic: null }, 'graphic: graphic-missing'],
    [{ description: 'a', pictogram: null, lines: [] }, 'lines: content-empty'],
    [{ description: 'a', graphic: 256 }, 'graphic: value-too-large'],
    [{ description: 'a', pictogram: 'none' }, 'pictogram: unknown-option'],
  ] as [object, string][]) {
    const { errors } = await admin.call(endpoints.addSignContent, { body: { ...body, ...change } })
    expect(errorCodes(errors)).toEqual([error])
  }
  const change = { params: { id: added.id }, body: { ...body, lines: [], version: 1 } }
  expect((await admin.call(endpoints.changeSignContent, change)).body).toMatchObject({ lines: [], version: 2 })
  expect((await admin.call(endpoints.changeSignContent, change)).errors[0]?.code).toBe('changed-meanwhile')
  const all = (await admin.call(endpoints.signContents)).body
  expect(all.map(({ description, uses }) => [description, uses])).toEqual([
    ['Waga', 1],
    ['50', 1],
    ['Na wagę', 1],
    ['Zjazd', 0],
  ])
  const used = await admin.call(endpoints.removeSignContent, { params: { id: contents.text } })
  expect(used.errors[0]?.code).toBe('content-in-use')
  expect((await admin.call(endpoints.removeSignContent, { params: { id: added.id } })).status).toBe(204)
  expect((await admin.call(endpoints.removeSignContent, { params: { id: added.id } })).status).toBe(404)
})
