import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createFakeServer } from './fake-server.ts'
import { sampleStation } from './sample.ts'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))

let server: Awaited<ReturnType<typeof createFakeServer>>

beforeEach(async () => {
  server = await createFakeServer()
})

afterEach(() => server.close())

const messageFor = (url: string, lastVehicleTime: string | null = null): string => {
  const location = { ...sampleStation.location, lastVehicleTime }
  const station = {
    key: 'secret-key',
    location,
    speedLimit: 120,
    speedLimitHeavy: 80,
    calibratedAt: [],
    backfill: false,
  }
  return `${JSON.stringify({ url, backfillDays: 1, traffic: 1, stations: [station] })}\n`
}

const startChild = (message: string) => {
  const child = spawn(process.execPath, [MAIN], { stdio: ['pipe', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stdin.write(message)
  return { child, output: () => output }
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Long enough for traffic on both lanes, also at night. */
const hoursAgo = () => new Date(Date.now() - 8 * 3_600_000).toISOString()

test('starts from a one-line message, resumes after the last vehicle, and ends with its input', async () => {
  const since = hoursAgo()
  const { child, output } = startChild(messageFor(server.url, since))
  await vi.waitFor(() => expect(server.vehicles.size).toBeGreaterThan(10), { timeout: 20_000 })
  child.stdin.end()

  expect(await once(child, 'exit')).toEqual([0, null])
  expect([...server.vehicles.values()].every(({ createdAt }) => createdAt >= since)).toBe(true)
  expect(output()).not.toContain('secret-key')
})

test('a later message stops a lane', async () => {
  const { child } = startChild(messageFor(server.url, hoursAgo()))
  const lanes = sampleStation.location.lanes.map(({ laneNumber }) => laneNumber)
  const location = sampleStation.location.id
  child.stdin.write(`${JSON.stringify({ location, lane: lanes[0], silent: true })}\n`)
  await vi.waitFor(() => expect(server.vehicles.size).toBeGreaterThan(10), { timeout: 20_000 })
  child.stdin.end()
  await once(child, 'exit')
  expect(new Set([...server.vehicles.values()].map(({ laneNumber }) => laneNumber))).toEqual(new Set(lanes.slice(1)))
})

test.each(['SIGTERM', 'SIGINT'] as const)('%s stops it, even while no server responds', async (signal) => {
  const { child, output } = startChild(messageFor('http://127.0.0.1:1'))
  await vi.waitFor(() => expect(output()).toContain('waits for the server'), { timeout: 20_000 })
  child.kill(signal)

  expect(await once(child, 'exit')).toEqual([0, null])
})

test('exits when its parent is killed', async () => {
  const script = `const child = require('node:child_process').spawn(process.execPath, [${JSON.stringify(MAIN)}], { stdio: ['pipe', 'pipe', 'ignore'] })
    child.stdin.write(${JSON.stringify(messageFor(server.url))})
    child.stdout.once('data', () => console.log(child.pid))`
  const parent = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [pid] = await once(parent.stdout, 'data')
  expect(isRunning(Number(pid))).toBe(true)
  parent.kill('SIGKILL')

  await vi.waitFor(() => expect(isRunning(Number(pid))).toBe(false), { timeout: 10_000 })
})

test.each([
  ['no JSON', 'hello'],
  ['without a server', '{"stations":[]}'],
  ['with a station that is none', '{"url":"http://127.0.0.1:1","stations":[{"location":7}]}'],
])('an invalid message (%s) is reported and exits with an error', async (_, message) => {
  const { child, output } = startChild(`${message}\n`)

  expect(await once(child, 'exit')).toEqual([1, null])
  expect(output()).toContain('the simulator fails')
})
