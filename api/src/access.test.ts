import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { permissionsOf, type Right, rights } from '@rogatka/contract/access.ts'
import { add as addDevice } from '@rogatka/contract/devices.ts'
import type { Endpoint } from '@rogatka/contract/endpoint.ts'
import { updatePassword } from '@rogatka/contract/preferences.ts'
import { add as addSystem, systemRights } from '@rogatka/contract/systems.ts'
import { imageVersion } from '@rogatka/contract/vehicle.ts'
import { expect, test } from 'vitest'
import { registeredEndpoints } from './core/route.ts'
import { sql } from './core/statement.ts'
import { type Client, testApi } from './testing/test-api.ts'

const contract = new URL('../../contract/src/', import.meta.url)

/** Every endpoint of the contract, found by import, so that none is missed. */
async function declaredEndpoints(): Promise<Endpoint[]> {
  const files = readdirSync(fileURLToPath(contract)).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  )
  const modules = await Promise.all(files.map((name) => import(new URL(name, contract).href)))
  return modules
    .flatMap((module) => Object.values(module))
    .filter((value): value is Endpoint => typeof value === 'object' && value !== null && 'access' in value)
}

const name = ({ method, path }: Endpoint) => `${method} ${path}`
const nothing = { number: 1, tagId: 1, sequence: 1, type: 'front' }

test('registers exactly the endpoints of the contract', async () => {
  const api = await testApi()
  const declared = await declaredEndpoints()
  expect(registeredEndpoints(api.app.api).map(name).sort()).toEqual(declared.map(name).sort())
  expect(declared.length).toBeGreaterThan(15)
})

test('report and sign-in endpoints have their own rate limits', async () => {
  // Of the same copy of the contract as the endpoints: mutation tests have two.
  const { reportLink } = await import(new URL('reports.ts', contract).href)
  const rated = new Map((await declaredEndpoints()).map((endpoint) => [name(endpoint), endpoint]))
  for (const door of ['POST /login', 'PUT /reset-password', 'PUT /set-password'])
    expect(rated.get(door)?.rate, door).toBe('sign-in')
  // Without a link, as for programs.
  const files = ['GET /arch-vehicles/export']
  for (const [about, { response, rate }] of rated)
    expect(rate === 'report', about).toBe(response === reportLink || files.includes(about))
})

test('every endpoint admits only holders of its rights', async () => {
  const api = await testApi()
  const station = await api.station()
  const permissions = [...new Set(rights.flatMap(permissionsOf))]
  const anonymising = permissionsOf('Anonymization')
  const holders = new Map<string, Client>()
  const holderOf = async (held: readonly string[]) => {
    const key = held.join()
    const holder = holders.get(key) ?? (await api.withPermissions([...held]))
    holders.set(key, holder)
    return holder
  }

  for (const endpoint of await declaredEndpoints()) {
    const about = name(endpoint)
    // Access granted may still return 400 or 404. For users the id is the caller's own, as some endpoints allow only
    // oneself.
    const opens = async (caller: Client & { userId?: number }) => {
      const id = endpoint.path.startsWith('/users/') ? (caller.userId ?? 1) : 1
      const { status } = await caller.call(endpoint, { params: { ...nothing, id } as never })
      return status !== 401 && status !== 403
    }
    const { access } = endpoint
    if (access === 'public') {
      // Login is public; it returns 401 for a wrong password.
      expect(await opens(api.anyone), about).toBe(true)
      continue
    }
    expect(await opens(api.anyone), `${about}, signed out`).toBe(false)
    expect(await opens(station), `${about}, a station`).toBe(access === 'station')
    // A new session each time: one of these requests ends it.
    expect(await opens(await api.withPermissions([])), `${about}, no right`).toBe(access === 'session')
    const sufficient = permissions.filter((permission) => suffices(access, permission))
    const others = permissions.filter((permission) => !sufficient.includes(permission))
    for (const permission of sufficient) {
      expect(await opens(await holderOf([permission])), `${about}, ${permission}`).toBe(true)
      if (about === 'DELETE /login') holders.clear()
    }
    // Who holds all of them is refused, so each of them alone is. Anonymised users are refused for other reasons, too.
    const isTogether = !(typeof access === 'object' && 'allOf' in access)
    const plain = others.filter((permission) => !anonymising.includes(permission))
    for (const held of isTogether ? [plain, anonymising] : others.map((permission) => [permission]))
      if (held.some((permission) => others.includes(permission)))
        expect(await opens(await holderOf(held)), `${about}, ${held}`).toBe(false)
    if (typeof access === 'object' && 'allOf' in access) {
      const all = await api.withPermissions(access.allOf.map((right) => permissionsOf(right)[0] as string))
      expect(await opens(all), `${about}, all of its rights`).toBe(true)
    }
  }
})

test('endpoints with step-up need a caller who was verified within ten minutes, or in the session', async () => {
  const api = await testApi()
  const all = rights.filter((right) => right !== 'Anonymization').map((right) => permissionsOf(right)[0] as string)
  const user = await api.withPermissions(all)
  // Opened by an earlier version, then eleven minutes ago.
  await api.db.execute(sql`update session set verified_at = null`)
  const refused = async (endpoint: Endpoint) => {
    const { status, errors } = await user.call(endpoint, { params: { ...nothing, id: user.userId } as never })
    return status === 403 && errors[0]?.code === 'step-up-required'
  }
  const once: string[] = []
  const recent: string[] = []
  const declared = (await declaredEndpoints()).filter((endpoint) => name(endpoint) !== 'DELETE /login')
  for (const endpoint of declared) if (await refused(endpoint)) once.push(name(endpoint))
  const other = await api.withPermissions(all)
  await api.db.execute(
    sql`update session set verified_at = ${new Date(api.clock.now.getTime() - 660_000)}::timestamptz`,
  )
  for (const endpoint of declared.filter((endpoint) => once.includes(name(endpoint)))) {
    const { status, errors } = await other.call(endpoint, { params: { ...nothing, id: 1 } as never })
    if (status === 403 && errors[0]?.code === 'step-up-required') recent.push(name(endpoint))
  }
  expect(recent.sort()).toEqual([
    'DELETE /lane-certificates/:id',
    'DELETE /scales/:id',
    'DELETE /users/self/identity',
    'DELETE /webhooks/:id',
    'GET /access-trail',
    'GET /access-trail/report',
    'GET /access-trail/summary',
    'POST /devices',
    'POST /devices/:id/revoke',
    'POST /devices/:id/token',
    'POST /lane-certificates',
    'POST /lane-certificates/:id/file',
    'POST /lane-certificates/:id/revoke',
    'POST /roles',
    'POST /roles/bulk-delete',
    'POST /scales',
    'POST /stations/:id/keys',
    'POST /stations/:id/keys/:keyId/revoke',
    'POST /systems',
    'POST /systems/:id/key',
    'POST /systems/:id/revoke',
    'POST /users',
    'POST /users/:id/factors/reset',
    'POST /users/:id/identity/unlink',
    'POST /users/bulk-delete',
    'POST /users/self/factors/authenticator/remove',
    'POST /users/self/factors/passkeys/:id/remove',
    'POST /users/self/factors/recovery-codes',
    'POST /webhooks',
    'POST /webhooks/:id/replay',
    'POST /webhooks/:id/resume',
    'POST /webhooks/:id/secret',
    'PUT /devices/:id',
    'PUT /lane-certificates/:id',
    'PUT /lanes/:id/purpose',
    'PUT /roles/:id',
    'PUT /scales/:id',
    'PUT /systems/:id',
    'PUT /users/:id',
    'PUT /webhooks/:id',
  ])
  expect(once.filter((about) => !recent.includes(about)).sort()).toEqual([
    'DELETE /vms-groups-status/:groupId/variant',
    'PUT /vms-groups-status/:groupId/variant/:variantId',
  ])
})

test('a device reads only what a wall screen needs', async () => {
  const api = await testApi()
  await api.station()
  const admin = await api.as('UsersAdmin', 'CurrentMeasurements', 'BlackList', 'UserManagement')
  const body = { name: 'Hala', locationIds: [7], columns: 2 as const, anonymised: false, wanted: true }
  const { token } = (await admin.call(addDevice, { body })).body
  const hidden = { ...body, name: 'Hol', wanted: false }
  const devices = { all: token, withoutHits: (await admin.call(addDevice, { body: hidden })).body.token }
  const opened: Record<string, string[]> = { all: [], withoutHits: [] }
  for (const endpoint of await declaredEndpoints()) {
    if (endpoint.access === 'public') continue
    for (const [which, of] of Object.entries(devices)) {
      const { status } = await api.client(of).call(endpoint, { params: { ...nothing, id: 1 } as never })
      if (status === 403 || status === 401) continue
      opened[which]?.push(name(endpoint))
      // Its address is invented.
      expect(status, name(endpoint)).toBe(endpoint.binary ? 400 : 200)
    }
    if (endpoint.device) expect(endpoint.method, name(endpoint)).toBe('GET')
  }
  const hits = ['GET /wanted-hits/open', 'GET /wanted-hits/stream']
  const always = [
    'GET /current-vehicles',
    'GET /current-vehicles/check',
    'GET /current-vehicles/counters',
    'GET /current-vehicles/stream',
    'GET /devices/self',
    'GET /locations',
    'GET /overview',
    `GET ${imageVersion.path}`,
  ]
  expect(opened.all?.sort()).toEqual([...always, ...hits].sort())
  expect(opened.withoutHits?.sort()).toEqual(always)
})

test('a system reads only what its rights name, of its stations, and saves only searches', async () => {
  const saves = ['POST /arch-vehicles/searches', 'POST /current-vehicles/searches']
  const api = await testApi()
  await api.station()
  const admin = await api.as('Exchange', ...systemRights)
  const body = { locationIds: [7], plates: true, validUntil: '2026-12-31' }
  const opened = new Map<string, string[]>()
  for (const right of systemRights) {
    const { key } = (await admin.call(addSystem, { body: { ...body, name: right, rights: [right] } })).body
    for (const endpoint of await declaredEndpoints()) {
      if (endpoint.access === 'public') continue
      const call = api.client(key).call(endpoint, { params: { ...nothing, id: 1 } as never })
      const { status } = await call
      if (status === 403 || status === 401) continue
      opened.set(right, [...(opened.get(right) ?? []), name(endpoint)])
      if (!saves.includes(name(endpoint))) expect(endpoint.method, name(endpoint)).toBe('GET')
    }
  }
  const always = ['GET /locations', 'GET /systems/self']
  expect(opened.get('CurrentMeasurements')?.sort()).toEqual(
    [
      ...always,
      'GET /current-vehicles',
      'GET /current-vehicles/:id',
      'GET /current-vehicles/:id/images/:number',
      'GET /current-vehicles/check',
      'GET /current-vehicles/counters',
      'GET /current-vehicles/searches/:id',
      'GET /current-vehicles/stream',
      'POST /current-vehicles/searches',
      'GET /datex/measured',
      'GET /datex/sites',
      'GET /overview',
      `GET ${imageVersion.path}`,
    ].sort(),
  )
  expect(opened.get('ArchiveMeasurements')?.sort()).toEqual(
    [
      ...always,
      'GET /arch-vehicles',
      'GET /arch-vehicles/:id',
      'GET /arch-vehicles/:id/images/:number',
      'GET /arch-vehicles/export',
      'GET /arch-vehicles/searches/:id',
      'POST /arch-vehicles/searches',
      `GET ${imageVersion.path}`,
    ].sort(),
  )
  expect(opened.get('Vms')?.sort()).toEqual([...always, 'GET /datex/sign-status', 'GET /datex/signs'].sort())
  const figures = ['equivalents', 'headway', 'loads', 'profile', 'speed', 'stat-1', 'summary']
  expect(opened.get('Stat')?.sort()).toEqual([...always, ...figures.map((it) => `GET /statistics/${it}`)].sort())
})

test('an expired password leaves only sign-out, heartbeat, reading oneself and its change', async () => {
  const api = await testApi()
  const opened: string[] = []
  for (const endpoint of await declaredEndpoints()) {
    if (['public', 'station', 'device', 'system'].includes(String(endpoint.access))) continue
    const user = await api.withPermissions([...new Set(rights.flatMap(permissionsOf))])
    await api.db.execute(sql`update app_user set must_change_password = true where id = ${user.userId}`)
    const answer = await user.call(endpoint, { params: { ...nothing, id: user.userId } as never })
    if (answer.status !== 403) opened.push(name(endpoint))
    else expect(answer.errors[0]?.code, name(endpoint)).toBe('password-expired')
  }
  expect(opened.sort()).toEqual([
    'DELETE /login',
    'GET /ping',
    'GET /users/self',
    // Without any right to it, too: see below.
    'PUT /users/self/update-password',
  ])
  const powerless = await api.withPermissions([])
  await api.db.execute(sql`update app_user set must_change_password = true where id = ${powerless.userId}`)
  expect((await powerless.call(updatePassword)).status).toBe(400)
})

test('OpenAPI describes access, group and media types', async () => {
  const api = await testApi()
  const { paths } = (await api.app.api.http.inject('/api/v1/openapi.json')).json()
  const described = (method: string, path: string) => {
    const { description, tags, security, requestBody } = paths[`/api/v1${path}`][method]
    return [description, tags, security, requestBody && Object.keys(requestBody.content)]
  }
  const json = ['application/json']
  const bySession = [{ session: [] }]
  const { headers, parameters, responses } = paths['/api/v1/datex/measured'].get
  expect([headers, parameters.map((it: { name: string }) => it.name).sort()]).toEqual([
    undefined,
    ['If-Modified-Since', 'locations'],
  ])
  expect(Object.keys(responses)).toEqual(['200', '304', '400', '401', '403', '404', '429', '500', '503'])
  expect(Object.keys(responses[200].content)).toEqual(['application/xml'])
  expect(responses[304].content).toBeUndefined()
  expect(described('post', '/login')).toEqual(['Access: public', ['Session'], [], json])
  expect(described('get', '/overview')[0]).toBe('Access: CurrentMeasurements, devices, systems')
  expect(described('get', '/ping')).toEqual(['Access: session', ['Session'], bySession, undefined])
  expect(described('get', '/quarantine')).toEqual(['Access: UsersAdmin', ['Measurements'], bySession, undefined])
  expect(described('get', '/users')).toEqual(['Access: UserManagement or UsersAdmin', ['Users'], bySession, undefined])
  const [access, tags] = described('post', '/current-vehicles/{id}/plate-on-vms')
  expect([access, tags]).toEqual(['Access: CurrentMeasurements and Vms', ['Signs']])
  expect(described('post', '/measurements')).toEqual([
    'Access: station',
    ['Measurements'],
    [{ stationKey: [] }],
    ['application/json', 'application/x-ndjson'],
  ])
  expect(described('put', '/measurements/{sequence}/images/{type}').at(-1)).toEqual(['image/jpeg'])
  expect(described('post', '/tickets').at(-1)).toEqual(['application/json', 'multipart/form-data'])
  expect(described('post', '/tickets/{id}/attachment').at(-1)).toEqual(['multipart/form-data'])
  expect(paths['/api/v1/login'].post.summary).toMatch(/^Signs in/)
})

/** Whether this permission alone grants access. */
function suffices(access: Endpoint['access'], permission: string): boolean {
  const gives = (right: Right) => permissionsOf(right).includes(permission)
  if (access === 'session' || access === 'public') return true
  if (access === 'station' || access === 'device' || access === 'system') return false
  if (typeof access === 'string') return gives(access)
  return 'allOf' in access ? access.allOf.every(gives) : access.some(gives)
}
