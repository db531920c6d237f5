import * as activity from '@rogatka/contract/activity.ts'
import * as vms from '@rogatka/contract/vms.ts'
import { expect, test } from 'vitest'
import { testApi, testStation } from '../testing/test-api.ts'
import { insertSign, upsertContent } from './queries.ts'
import { injectFaults } from './simulated/queries.ts'
import { testSigns, until } from './testing.ts'

const DAY = { dateTimeStart: '2026-10-20T00:00:00Z', dateTimeEnd: '2026-10-21T00:00:00Z' }

test('shows content, operator and image of every sign', async () => {
  const api = await testApi()
  const { groupId, signIds, contents } = await testSigns(api)
  const operator = await api.as('Vms')

  const before = await until(async () => {
    const { body } = await operator.call(vms.groups)
    return body[0]?.vms.every(({ vmsStatus }) => vmsStatus.available) && body[0]
  })
  expect(before).toMatchObject({ selectedVariant: 1, enabledVariant: null, manageable: true })
  expect(before.vms[0]).toMatchObject({
    vms: { roadNumber: 'S8', chainage: '1+900', ip: '10.1.1.1' },
    vmsStatus: { status: 'OK', condition: 'ok', contentDisplayed: false, circuit: 'closed', controlMode: 'central' },
    image: `/vms-contents/${contents.weigh}/image`,
    selectedContent: { id: contents.weigh },
    shows: { kind: 'blank' },
    enabled: null,
  })

  const { status, body } = await operator.call(vms.enableVariant, { params: { groupId, variantId: 2 } })
  expect(status).toBe(200)
  expect(body.results).toMatchObject([{ done: true, error: null }, { done: true }])
  expect(body.group).toMatchObject({ selectedVariant: 2, enabledVariant: 2 })
  expect(body.group.vms[0]).toMatchObject({
    vmsStatus: { contentDisplayed: true },
    selectedContent: { id: contents.slow },
    shows: { kind: 'content', content: { id: contents.slow } },
    enabled: { variant: 2, by: { username: operator.username } },
  })
  expect(body.group.vms[1]?.shows).toEqual({ kind: 'content', content: { id: contents.text }, text: 'ZJAZD\nNA WAGE' })

  for (const call of [
    await operator.call(vms.contentImage, { params: { id: contents.weigh } }),
    await operator.call(vms.signImage, { params: { groupId, id: signIds[1] } }),
  ]) {
    expect(call.status).toBe(200)
    expect(call.bytes.subarray(1, 4).toString()).toBe('PNG')
  }
  expect((await operator.call(vms.contents)).body.map(({ id }) => id)).toEqual(Object.values(contents))
  expect((await operator.call(vms.groups, { query: { locations: '99' } })).body).toEqual([])
})

test('enables a variant sign by sign, and names signs that refuse', async () => {
  const api = await testApi()
  const { groupId, signIds } = await testSigns(api)
  await injectFaults(api.db, signIds[0], { controlMode: 'local' })
  const operator = await api.as('Vms')

  const enabled = await operator.call(vms.enableVariant, {
    params: { groupId, variantId: 1 },
    headers: { 'accept-language': 'en' },
  })
  expect(enabled.body.results).toMatchObject([
    { vms: { id: signIds[0] }, done: false, error: { code: 'sign-in-local-control' } },
    { vms: { id: signIds[1] }, done: true, error: null },
  ])
  expect(enabled.body.results[0]?.error?.userMessage).toMatch(/local control/)
  expect(enabled.body.group.vms.map(({ enabled }) => enabled?.variant ?? null)).toEqual([null, 1])

  const disabled = await operator.call(vms.disableVariant, { params: { groupId } })
  expect(disabled.body.results.map(({ done }) => done)).toEqual([false, true])
  expect(disabled.body.group.vms[1]).toMatchObject({ enabled: null, shows: { kind: 'blank' } })
})

test('refuses a variant if a sign has no image in it', async () => {
  const api = await testApi()
  const { groupId } = await testSigns(api)
  const empty = await upsertContent(api.db, { description: 'Nic', pictogram: 'unknown', graphic: null, lines: [] })
  await insertSign(api.db, {
    groupId,
    roadNumber: 'S8',
    chainage: '3+000',
    driver: 'simulated',
    host: '10.1.1.3',
    port: 161,
    community: 'public',
    showsPlates: false,
    contentIds: [empty],
  })
  const operator = await api.as('Vms')

  const { body } = await operator.call(vms.groups)
  expect(body[0]).toMatchObject({ manageable: false, variants: [{ complete: false }, { complete: false }] })
  for (const variantId of [1, 2]) {
    const { status, errors } = await operator.call(vms.enableVariant, { params: { groupId, variantId } })
    expect([status, errors[0]?.code]).toEqual([422, 'signs-incomplete'])
  }
  const { errors } = await operator.call(vms.disableVariant, { params: { groupId } })
  expect(errors[0]?.code).toBe('signs-incomplete')
  expect((await operator.call(vms.enableVariant, { params: { groupId, variantId: 3 } })).status).toBe(404)
  expect((await operator.call(vms.disableVariant, { params: { groupId: 99 } })).status).toBe(404)
})

test('audits every command with states before and after, and records enabled time in the history', async () => {
  const api = await testApi()
  const { groupId, signIds } = await testSigns(api)
  const operator = await api.as('Vms', 'UserManagement')
  await operator.call(vms.enableVariant, { params: { groupId, variantId: 1 } })
  api.clock.now = new Date('2026-10-20T08:10:00Z')
  await operator.call(vms.disableVariant, { params: { groupId } })

  const log = await operator.call(activity.vmsLogs, { query: DAY })
  expect(log.body.content).toHaveLength(2)
  expect(log.body.content.find(({ vms }) => vms?.id === signIds[0])).toMatchObject({
    eventType: 3,
    user: { username: operator.username },
    location: { id: 7 },
    vms: { roadNumber: 'S8', chainage: '1+900' },
    variant: 'Kontrola',
    loginAt: '2026-10-20T08:00:00.000Z',
    logoutAt: '2026-10-20T08:10:00.000Z',
    ip: '127.0.0.1',
  })
  const { body } = await operator.call(activity.audit, { query: { ...DAY, orderDirection: 'asc' } })
  const ofFirst = body.content.filter(
    ({ subject }) => subject === `${testStation.shortName} · S8 1+900 · #${signIds[0]}`,
  )
  expect(ofFirst).toMatchObject([
    { action: 'sign-enabled', user: { username: operator.username }, after: { shows: 'content', content: 'Waga' } },
    { action: 'sign-disabled', before: { shows: 'content' }, after: { shows: 'blank' } },
  ])
})

test('a failing sign does not block others', async () => {
  const api = await testApi()
  const { groupId, signIds } = await testSigns(api)
  await injectFaults(api.db, signIds[0], { offline: true })
  await injectFaults(api.db, signIds[1], { faults: ['lamp', 'door'], delayMs: 100 })
  const operator = await api.as('Vms')

  const group = await until(async () => {
    const [group] = (await operator.call(vms.groups)).body
    const [away, broken] = group?.vms ?? []
    const isTold = away?.vmsStatus.checkedAt && !away.vmsStatus.available && broken?.vmsStatus.faults[0]
    return isTold ? group : undefined
  })
  expect(group.vms[0]?.vmsStatus).toMatchObject({ condition: 'unavailable', contentDisplayed: null, faults: [] })
  expect(group.vms[0]?.vmsStatus.status).toMatch(/^Unable/)
  expect(group.vms[1]?.vmsStatus).toMatchObject({
    status: 'Malfunction: lamp, door',
    condition: 'malfunction',
    available: true,
  })

  // After some failures its circuit is open: commands fail at once, without waiting.
  await until(async () => (await operator.call(vms.groups)).body[0]?.vms[0]?.vmsStatus.circuit === 'open')
  const { results } = (await operator.call(vms.enableVariant, { params: { groupId, variantId: 1 } })).body
  expect(results.map(({ done, error }) => [done, error?.code ?? null])).toEqual([
    [false, 'sign-unavailable'],
    [true, null],
  ])

  // It is available again after the next poll.
  await injectFaults(api.db, signIds[0], {})
  await until(async () => (await operator.call(vms.groups)).body[0]?.vms[0]?.vmsStatus.available)
})

test('a sign without recent answers is unavailable', async () => {
  const api = await testApi()
  const { signIds } = await testSigns(api)
  const operator = await api.as('Vms')
  const first = async () => (await operator.call(vms.groups)).body[0]?.vms[0]?.vmsStatus
  await until(async () => (await first())?.available)
  // Only a poll could renew it, and the sign now answers more slowly than this test runs.
  await injectFaults(api.db, signIds[0], { delayMs: 60_000 })
  api.clock.now = new Date(api.clock.now.getTime() + 30_000)
  expect(await first()).toMatchObject({ available: false, condition: 'unavailable', contentDisplayed: null })
})
