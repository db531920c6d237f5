import { readSelf } from '@rogatka/contract/devices.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { call } from './call.ts'
import { deviceSession, startDevice } from './device.ts'
import { endSession, startSession } from './session.ts'

let stored: Map<string, string>
let bearers: (string | null)[]
let status: number

beforeEach(() => {
  stored = new Map([['deviceToken', 'device_a']])
  bearers = []
  status = 200
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  })
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('fetch', async (_: string, { headers }: { headers: Headers }) => {
    bearers.push(headers.get('authorization'))
    return new Response(JSON.stringify({}), { status })
  })
})
afterEach(() => {
  deviceSession.set({ token: null, isRefused: false })
  endSession(null)
  vi.unstubAllGlobals()
})

const open = (pathname: string, search: string) => {
  vi.stubGlobal('location', { pathname, search, hash: '' })
  startDevice()
}

test('only / with wall is a wall screen; other pages keep their session', () => {
  open('/users', '?wall')
  expect(deviceSession.get().token).toBeNull()
  open('/login', '?wall=2')
  expect(deviceSession.get().token).toBeNull()
  open('/', '?wall=2')
  expect(deviceSession.get().token).toBe('device_a')
})

test('a refused device only requests whether it is still refused, until the server accepts it', async () => {
  open('/', '?wall')
  status = 401
  const check = () => call(readSelf, { despiteRefusal: true })
  await expect(call(readSelf)).rejects.toMatchObject({ status: 401 })
  await expect(call(readSelf)).rejects.toMatchObject({ status: 401 })
  expect(bearers).toEqual(['Bearer device_a'])
  await expect(check()).rejects.toMatchObject({ status: 401 })
  expect(bearers).toHaveLength(2)
  expect(deviceSession.get().isRefused).toBe(true)
  status = 200
  await check()
  expect(deviceSession.get().isRefused).toBe(false)
  await call(readSelf)
  expect(bearers).toHaveLength(4)
})

test('a sign-in deletes the kept token if it was refused, and no other', async () => {
  open('/', '?wall')
  startSession('user')
  expect(stored.get('deviceToken')).toBe('device_a')
  status = 401
  await expect(call(readSelf)).rejects.toMatchObject({ status: 401 })
  startSession('user')
  expect([...stored.keys()]).toEqual([])
})
