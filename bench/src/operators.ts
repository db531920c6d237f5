import { setTimeout as pause } from 'node:timers/promises'
import { check, counters, list, stream } from '@rogatka/contract/current.ts'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { post } from '@rogatka/contract/ingest.ts'
import { isQuick, isRequested, type Table } from './bench.ts'
import { getRequest, type HttpConnection, openConnection, postRequest } from './http-connection.ts'
import { type SendingStation, type SinglePosts, startSinglePosts } from './single-posts.ts'
import { openStream, type StreamConnection } from './stream-connection.ts'
import { trafficFrom } from './traffic.ts'

/*
 * Whole operators: a stream or polls, lists, thumbnails and counters, while stations post vehicles one by one with
 * images.
 */

/** Vehicles per second of all stations together, each posted alone and followed by two images. */
export const VEHICLES_PER_SECOND = 10
export const IMAGE_TYPES = ['front', 'side']
const MEASURED_MS = isQuick ? 10_000 : 30_000
const WARM_UP_MS = 3_000
/** Vehicles in the list before the operators come, as after hours: they leave it about 13 minutes after their measurement. */
const STEADY_VEHICLES = isQuick ? 500 : 13 * 60 * VEHICLES_PER_SECOND
const BATCH_SIZE = 100
/** Vehicles that arrive more than a minute after their measurement count as late. */
const PROMPT_MS = 50_000
/** Of the operators every third one has filters of its own, which all vehicles match. */
const OWN_FILTERS_EVERY = 3
/** Operators of each round by stream and by poll. */
const STREAMING = isQuick ? [50] : [100, 300, 1_000]
const POLLING = isQuick ? [50] : [100, 300, 600]
const OPENING = isQuick ? 50 : 300
const BARE_STREAMS = isQuick ? 500 : 10_000
/** Of the streams alone the events of some are read. Not divisible by their number of filters. */
const READ_EVERY = 33
/** A session may have eight streams; here it has six. */
const STREAMS_PER_SESSION = 6

/** Operators who open the list at the same time before streams or polls are measured. */
const OPENING_CONCURRENCY = 20

/** Sessions that `measureOperators` needs. */
export const OPERATOR_SESSIONS = Math.max(Math.ceil(BARE_STREAMS / STREAMS_PER_SESSION), ...STREAMING, ...POLLING)

const streamsAlone = `${BARE_STREAMS.toLocaleString('en')} streams alone`
const opening = `opening of ${OPENING} within a second`
const byStream = (count: number) => `${count.toLocaleString('en')} by stream`
const byPoll = (count: number) => `${count.toLocaleString('en')} by poll`

/** Names of what `measureOperators` measures. */
export const OPERATOR_PARTS = [streamsAlone, opening, ...STREAMING.map(byStream), ...POLLING.map(byPoll)]

/** A portal with two processes, whose stations send nothing yet. `tokens`: of different sessions. */
export type BenchPortal = { url: string; port: number; senders: readonly SendingStation[]; tokens: readonly string[] }

export async function* measureOperators(portal: BenchPortal): AsyncGenerator<Table> {
  const { port, senders, tokens } = portal
  if (isRequested(streamsAlone)) {
    const slow = await startSinglePosts(port, senders.slice(0, 1), 1, [])
    yield table('with streams alone', [await measureBareStreams(portal, slow)])
    await slow.stop()
  }
  if (!OPERATOR_PARTS.some((part) => part !== streamsAlone && isRequested(part))) return
  await fillList(portal)
  const traffic = await startSinglePosts(port, senders, VEHICLES_PER_SECOND, IMAGE_TYPES)
  if (isRequested(opening)) yield table('opening', [await measureOpening(portal, tokens.slice(0, OPENING), traffic)])
  const streaming = STREAMING.filter((count) => isRequested(byStream(count)))
  if (streaming.length > 0)
    yield table(
      'by stream',
      await inTurn(streaming, (count) => measureStreaming(portal, tokens.slice(0, count), traffic)),
    )
  const polling = POLLING.filter((count) => isRequested(byPoll(count)))
  if (polling.length > 0)
    yield table('by poll', await inTurn(polling, (count) => measurePolling(portal, tokens.slice(0, count), traffic)))
  await traffic.stop()
}

/** Times in ms by what they are of. */
export type Row = { name: string; waits: Record<string, number[]>; refused: number; notes: string[] }

const table = (name: string, rows: readonly Row[]): Table => ({
  head: [`operators ${name}`, 'what', 'count', 'median', '95 %', '99 %', 'slowest', 'refused'],
  rows: rows.flatMap(({ name, waits, refused }) =>
    Object.entries(waits).map(([what, times]) => {
      const sorted = times.toSorted((a, b) => a - b)
      const within = (part: number) => `${(sorted[Math.floor(sorted.length * part)] ?? Number.NaN).toFixed(0)} ms`
      const slowest = `${(sorted.at(-1) ?? Number.NaN).toFixed(0)} ms`
      return [name, what, String(sorted.length), within(0.5), within(0.95), within(0.99), slowest, String(refused)]
    }),
  ),
  notes: rows.flatMap(({ notes }) => notes),
})

async function inTurn(counts: readonly number[], measure: (count: number) => Promise<Row>): Promise<Row[]> {
  const rows: Row[] = []
  for (const count of counts) rows.push(await measure(count))
  return rows
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

const fields = 'withAxles=true&withImages=true&withTags=true'
/** An operator watches all stations. */
const selectionOf = (operator: number, senders: readonly SendingStation[]) =>
  `locations=${senders.map(({ id }) => id)}${operator % OWN_FILTERS_EVERY === 1 ? `&minSpeed=-${operator}` : ''}`

/** Posts the vehicles of the last minutes at once. */
export async function fillList({ port, senders }: BenchPortal): Promise<void> {
  const connection = await openConnection(port)
  const perStation = Math.ceil(STEADY_VEHICLES / senders.length)
  for (const { id, key } of senders) {
    const from = Date.now() - PROMPT_MS
    // Not in step with single posts.
    const next = trafficFrom(id + senders.length, (sequence) => from + Math.floor((sequence / perStation) * PROMPT_MS))
    for (let left = perStation; left > 0; left -= BATCH_SIZE) {
      const body = next(Math.min(left, BATCH_SIZE))
      const response = await connection.send(postRequest(API_BASE + post.path, body, bearer(key)))
      if (!response.startsWith('HTTP/1.1 200')) throw new Error(response)
    }
  }
  connection.close()
}

/** Operators whose events are read; the others receive them, so that the client has time. */
const READERS = 20

export async function measureStreaming(
  { port, senders }: BenchPortal,
  tokens: readonly string[],
  traffic: SinglePosts,
): Promise<Row> {
  const events: number[] = []
  const thumbnails: number[] = []
  let refused = 0
  let from = Number.POSITIVE_INFINITY
  const loadings: ReturnType<typeof createLoading>[] = []

  /** All operators load the first image of a vehicle, when one of them has its address. */
  const loadAll = (path: string) => {
    const seenAt = performance.now()
    if (seenAt < from) return
    for (const { load } of loadings)
      load(path, (response) => {
        thumbnails.push(performance.now() - seenAt)
        if (!response.startsWith('HTTP/1.1 200')) refused += 1
      })
  }
  const loaded = new Set<string>()
  const leader = {
    onImage: (vehicle: string, path: string) => {
      if (loaded.has(vehicle)) return
      loaded.add(vehicle)
      loadAll(path)
    },
  }
  const onAdded = (ids: readonly number[]) => recordDelays(ids, traffic, from, events)
  const readers = await openInTurn(tokens, (token, at) => {
    const path = `${API_BASE}${stream.path}?${selectionOf(at, senders)}&${fields}`
    return openStream(port, path, bearer(token), at < READERS ? { onAdded, ...(at === 0 && leader) } : undefined)
  })
  // After the lists, which may take longer than the server waits for a first request.
  for (const token of tokens) loadings.push(createLoading(token, await openConnection(port)))
  await pause(WARM_UP_MS)
  from = performance.now()
  traffic.takePostTimes()
  await pause(MEASURED_MS)
  from = Number.POSITIVE_INFINITY
  const posts = traffic.takePostTimes()
  for (const reader of readers) reader.close()
  const left = (await Promise.all(loadings.map(({ stop }) => stop()))).reduce((sum, count) => sum + count, 0)
  refused += readers.filter(({ status }) => status !== 200).length
  const waits = { 'commit to event': events, thumbnail: thumbnails, 'post of a vehicle': posts }
  const name = tokens.length.toLocaleString('en')
  return {
    name,
    waits,
    refused,
    notes: left > 0 ? [`${name} by stream: ${left} thumbnails were not loaded in time`] : [],
  }
}

/** Loads images of an operator one after the other. */
function createLoading(token: string, connection: HttpConnection) {
  const waiting: { path: string; onResponse: (response: string) => void }[] = []
  let working = Promise.resolve()
  let isWorking = false
  const work = async () => {
    isWorking = true
    for (let next = waiting.shift(); next; next = waiting.shift())
      next.onResponse(await connection.send(getRequest(`${API_BASE}${next.path}/thumbnail`, bearer(token))))
    isWorking = false
  }
  return {
    load: (path: string, onResponse: (response: string) => void) => {
      waiting.push({ path, onResponse })
      if (!isWorking) working = work()
    },
    /** Returns how many are left. */
    stop: async () => {
      const left = waiting.splice(0).length
      await working
      connection.close()
      return left
    },
  }
}

/** The delay of an event after the response to its vehicle; 0 if it was earlier. */
function recordDelays(ids: readonly number[], { acknowledged }: SinglePosts, from: number, delays: number[]) {
  const now = performance.now()
  if (now < from) return
  for (const id of ids) delays.push(Math.max(0, now - (acknowledged.get(id) ?? now)))
}

const FIRST_IMAGE = /"images":\[\{[^}]*"path":"([^"]+)"/g

type Poller = { token: string; selected: string; connection: HttpConnection; lastId: string }

/** Operators who poll, each with the list of the opening. */
async function openPollers({ port, senders }: BenchPortal, tokens: readonly string[]): Promise<Poller[]> {
  const opened = await openInTurn(tokens, async (token, at) => {
    const connection = await openConnection(port)
    const selected = selectionOf(at, senders)
    const response = await connection.send(getRequest(`${API_BASE}${list.path}?${selected}&${fields}`, bearer(token)))
    connection.close()
    return { token, selected, lastId: lastIdOf(response) ?? '' }
  })
  // After all lists, which may take longer than the server keeps an idle connection.
  return Promise.all(opened.map(async (poller) => ({ ...poller, connection: await openConnection(port) })))
}

/** Opens the list of all operators, some at the same time. */
async function openInTurn<T>(tokens: readonly string[], open: (token: string, at: number) => Promise<T>): Promise<T[]> {
  const opened: T[] = []
  const waiting = tokens.entries()
  const openNext = async () => {
    for (const [at, token] of waiting) opened[at] = await open(token, at)
  }
  await Promise.all(Array.from({ length: OPENING_CONCURRENCY }, openNext))
  return opened
}

/** Without a reference to the response, which has megabytes. */
function lastIdOf(response: string): string | undefined {
  const [, lastId] = /"lastId":(\d+)/.exec(response) ?? []
  return lastId && String(Number(lastId))
}

/** `isCheckOnly`: without lists, thumbnails and counters. */
export async function measurePolling(
  portal: BenchPortal,
  tokens: readonly string[],
  traffic: SinglePosts,
  isCheckOnly = false,
): Promise<Row> {
  const waits: Record<string, number[]> = { check: [] }
  if (!isCheckOnly) Object.assign(waits, { list: [], thumbnail: [], counters: [] })
  let refused = 0
  const pollers = await openPollers(portal, tokens)
  const start = performance.now()
  const isMeasured = () => performance.now() - start > WARM_UP_MS
  const timed = async ({ token, connection }: Poller, what: string, path: string) => {
    const sentAt = performance.now()
    const response = await connection.send(getRequest(API_BASE + path, bearer(token)))
    if (sentAt - start > WARM_UP_MS) waits[what]?.push(performance.now() - sentAt)
    if (!response.startsWith('HTTP/1.1 200')) refused += 1
    return response
  }
  const load = async (poller: Poller) => {
    const path = `${list.path}?${poller.selected}&${fields}&lastId=${poller.lastId}`
    const response = await timed(poller, 'list', path)
    const paths = new Set([...response.matchAll(FIRST_IMAGE)].map(([, path]) => path))
    for (const path of paths) await timed(poller, 'thumbnail', `${path}/thumbnail`)
    poller.lastId = lastIdOf(response) ?? poller.lastId
  }
  const poll = async (poller: Poller, at: number) => {
    await pause((at / pollers.length) * 1_000)
    for (let second = 0; performance.now() - start < WARM_UP_MS + MEASURED_MS; second++) {
      const turn = pause(1_000)
      const response = await timed(poller, 'check', `${check.path}?${poller.selected}&lastId=${poller.lastId}`)
      if (isCheckOnly) poller.lastId = String(traffic.lastId() ?? poller.lastId)
      else {
        if (response.endsWith('true}')) await load(poller)
        if (second % 5 === 0) await timed(poller, 'counters', `${counters.path}?${poller.selected}`)
      }
      await turn
    }
    poller.connection.close()
  }
  const polling = Promise.all(pollers.map(poll))
  while (!isMeasured()) await pause(100)
  traffic.takePostTimes()
  await polling
  const name = tokens.length.toLocaleString('en')
  return { name, waits: { ...waits, 'post of a vehicle': traffic.takePostTimes() }, refused, notes: [] }
}

async function measureOpening(
  { port, senders }: BenchPortal,
  tokens: readonly string[],
  traffic: SinglePosts,
): Promise<Row> {
  traffic.takePostTimes()
  const lists: number[] = []
  const readers = await Promise.all(
    tokens.map(async (token, at) => {
      await pause((at / tokens.length) * 1_000)
      const sentAt = performance.now()
      const path = `${API_BASE}${stream.path}?${selectionOf(at, senders)}&${fields}`
      const reader = await openStream(port, path, bearer(token), {})
      await reader.listed
      lists.push(performance.now() - sentAt)
      return reader
    }),
  )
  const refused = readers.filter(({ status }) => status !== 200).length
  const bytes = readers[0]?.listBytes() ?? 0
  for (const reader of readers) reader.close()
  return {
    name: opening,
    waits: { list: lists, 'post of a vehicle': traffic.takePostTimes() },
    refused,
    notes: [`a list at the opening has ${(bytes / 1024).toFixed(0)} kB, compressed`],
  }
}

/** Streams of one vehicle per second, without images. */
async function measureBareStreams(portal: BenchPortal, traffic: SinglePosts): Promise<Row> {
  const { port, tokens } = portal
  const before = await serverFigures(portal)
  const events: number[] = []
  let from = Number.POSITIVE_INFINITY
  const readers: StreamConnection[] = []
  for (let at = 0; at < BARE_STREAMS; at += 100)
    readers.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(100, BARE_STREAMS - at) }, (_, index) => {
          const number = at + index
          const token = tokens[Math.floor(number / STREAMS_PER_SESSION)] as string
          // A hundred different filters, all of which match.
          const path = `${API_BASE}${stream.path}?locations=1&minSpeed=-${1 + (number % 100)}`
          const onAdded = (ids: readonly number[]) => recordDelays(ids, traffic, from, events)
          return openStream(port, path, bearer(token), number % READ_EVERY === 0 ? { onAdded } : undefined)
        }),
      )),
    )
  await pause(WARM_UP_MS)
  const opened = await serverFigures(portal)
  from = performance.now()
  await pause(MEASURED_MS)
  const after = await serverFigures(portal)
  for (const reader of readers) reader.close()
  const cpu = ((after.cpuSeconds - opened.cpuSeconds) / (MEASURED_MS / 1_000)) * 100
  const perStream = (opened.memory - before.memory) / BARE_STREAMS / 1024
  return {
    name: streamsAlone,
    waits: { 'commit to event': events },
    refused: readers.filter(({ status }) => status !== 200).length,
    notes: [
      `streams alone: ${cpu.toFixed(0)} % of a core, ${perStream.toFixed(1)} kB of memory of the server processes for each`,
    ],
  }
}

async function serverFigures({ url }: BenchPortal) {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(metrics)?.[1] ?? Number.NaN)
  return { cpuSeconds: figure('process_cpu_seconds_total'), memory: figure('process_resident_memory_bytes') }
}
