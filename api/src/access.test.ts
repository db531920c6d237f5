import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { permissionsOf, type Right, rights } from '@rogatka/contract/access.ts'
import type { Endpoint } from '@rogatka/contract/endpoint.ts'
import { reportLink } from '@rogatka/contract/reports.ts'
import { expect, test } from 'vitest'
import { registeredEndpoints } from './core/route.ts'
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
  const rated = new Map((await declaredEndpoints()).map((endpoint) => [name(endpoint), endpoint]))
  for (const door of ['POST /login', 'PUT /reset-password', 'PUT /set-password'])
    expect(rated.get(door)?.rate, door).toBe('sign-in')
  for (const [about, { response, rate }] of rated) expect(rate === 'report', about).toBe(response === reportLink)
})

test('every endpoint admits only holders of its rights', async () => {
  const api = await testApi()
  const station = await api.station()
  const permissions = [...new Set(rights.flatMap(permissionsOf))]
  const holders = new Map<string, Client>()
  for (const permission of permissions) holders.set(permission, await api.withPermissions([permission]))

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
    for (const permission of permissions) {
      const user = holders.get(permission) as Client
      expect(await opens(user), `${about}, ${permission}`).toBe(suffices(access, permission))
      if (about === 'DELETE /login') holders.set(permission, await api.withPermissions([permission]))
    }
    if (typeof access === 'object' && 'allOf' in access) {
      const all = await api.withPermissions(access.allOf.map((right) => permissionsOf(right)[0] as string))
      expect(await opens(all), `${about}, all of its rights`).toBe(true)
    }
  }
})

/** Whether this permission alone grants access. */
function suffices(access: Endpoint['access'], permission: string): boolean {
  const gives = (right: Right) => permissionsOf(right).includes(permission)
  if (access === 'session' || access === 'public' || access === 'station') return access !== 'station'
  if (typeof access === 'string') return gives(access)
  return 'allOf' in access ? access.allOf.every(gives) : access.some(gives)
}
