import { spawn } from 'node:child_process'
import { stream } from '@rogatka/contract/current.ts'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { upload } from '@rogatka/contract/imports.ts'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../core/free-port.ts'
import { car, send } from '../ingest/testing.ts'
import { addressOf, type EventStream, readEventStream } from '../testing/event-stream.ts'
import { proxies } from '../testing/proxies.ts'
import { eventually, type TestApi, testApi } from '../testing/test-api.ts'

for (const { name, program } of proxies)
  if (!program)
    console.info(`${name.toUpperCase()} names no program: streams of live vehicles were not tested behind it`)

/** Reads a stream by `curl -N`, with further options. */
function curlStream(
  address: string,
  token: string | undefined,
  lastEventId = '',
  options: readonly string[] = [],
): Pick<EventStream, 'events' | 'close'> {
  const events: EventStream['events'] = []
  const headers = [`Authorization: Bearer ${token}`, `Last-Event-ID: ${lastEventId}`].flatMap((it) => ['-H', it])
  const curl = spawn('curl', ['-sN', ...options, ...headers, `${address}${API_BASE}${stream.path}`])
  onTestFinished(() => void curl.kill())
  let text = ''
  let id = ''
  curl.stdout.on('data', (part) => {
    text += part
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
      id = field('id') ?? id
      const data = field('data')
      if (data) events.push({ type: field('event') ?? '', data: JSON.parse(data) as never, lastEventId: id })
    }
  })
  return { events, close: () => void curl.kill() }
}

type Key = { id: number }
const sequences = (vehicles: readonly Key[]) => vehicles.map(({ id }) => id % 2 ** 40)

/** Vehicles of a list or of later additions, in order of arrival. */
const addedIn = (events: EventStream['events']) =>
  events.flatMap(({ type, data }) => {
    const { content = [], added = [] } = data as { content?: Key[]; added?: Key[] }
    return type === 'list' ? sequences(content).reverse() : sequences(added)
  })

async function behind(apis: readonly TestApi[], start: (typeof proxies)[number]['start']): Promise<string> {
  const port = await freePort()
  const addresses = await Promise.all(apis.map(async (api) => (await addressOf(api)).replace('http://', '')))
  const proxy = await start(addresses, port)
  onTestFinished(() => void proxy.kill())
  const address = `http://127.0.0.1:${port}`
  await eventually(async () => expect((await fetch(`${address}/readyz`)).status).toBe(200))
  return address
}

for (const { name, program, start } of proxies)
  test.skipIf(!program)(
    `streams arrive at once and resume behind ${name} in front of two processes, with curl and fetch`,
    { timeout: 60_000 },
    async () => {
      const one = await testApi()
      const two = await testApi({}, one)
      for (const { clock } of [one, two]) clock.now = new Date(clock.now.getTime() + 15_000)
      const [station, user] = [await one.station(), await one.as('CurrentMeasurements')]
      const address = await behind([one, two], start)
      const openWithFetch = (lastEventId?: string) =>
        readEventStream(address, user.token, `${API_BASE}${stream.path}`, lastEventId)
      const openWithCurl = async (lastEventId?: string) => curlStream(address, user.token, lastEventId)
      const openCompressed = async (lastEventId?: string) =>
        curlStream(address, user.token, lastEventId, ['--compressed'])
      let sequence = 0
      const sendNext = () => send(station, [car(++sequence)])
      for (const open of [openWithCurl, openCompressed, openWithFetch]) {
        const received: number[] = []
        let lastEventId: string | undefined
        for (let round = 0; round < 5; round++) {
          const { events, close } = await open(lastEventId)
          await eventually(() => expect(events.map(({ type }) => type)).toContain('counters'))
          await sendNext()
          await eventually(() => expect(addedIn(events)).toContain(sequence))
          close()
          received.push(...addedIn(events))
          expect(events.some(({ type }) => type === 'list')).toBe(round === 0)
          lastEventId = events.at(-1)?.lastEventId
          // No stream is open.
          await sendNext()
        }
        expect(received).toEqual(Array.from({ length: sequence - 1 }, (_, at) => at + 1))
      }
      expect((await fetch(`${address}/metrics`)).status).toBe(403)
    },
  )

for (const { name, program, start } of proxies)
  test.skipIf(!program)(
    `a file of an import larger than all other bodies passes ${name}`,
    { timeout: 60_000 },
    async () => {
      const api = await testApi()
      const { token } = await api.as('Exchange')
      const address = await behind([api], start)
      const row = `WX 12345;${'x'.repeat(1_000)}\n`
      const response = await fetch(`${address}${API_BASE}${upload.path}?fileName=large.csv`, {
        method: upload.method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
        body: `plate;note\n${row.repeat(60_000)}`,
      })
      expect([response.status, await response.json()]).toMatchObject([200, { fileName: 'large.csv' }])
    },
  )
