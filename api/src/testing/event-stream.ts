import { onTestFinished } from 'vitest'
import { eventually, type TestApi } from './test-api.ts'

/** An event as dispatched: its type, its data as JSON, and the last event id at that time. */
export type StreamEvent = { type: string; data: never; lastEventId: string }

export type EventStream = {
  status: number
  headers: Headers
  /** Dispatched events so far. */
  events: StreamEvent[]
  /** The times of the server in comments, ms since the epoch: of heartbeats, and before events. */
  heartbeats: number[]
  sentAt: number[]
  lastEventId: () => string
  /** The data of the next event of a type after those returned before. */
  next: <T>(type: string) => Promise<T>
  /** Resolves when the server has ended the stream. */
  ended: Promise<void>
  /** Stops or resumes reading. */
  pause: (isPaused: boolean) => void
  close: () => void
}

/** Reads a stream by the rules of the HTML standard, section 9.2.6. `acceptEncoding`: by default that of fetch, with gzip. */
export async function readEventStream(
  address: string,
  token: string | undefined,
  path: string,
  lastEventId?: string,
  acceptEncoding?: string,
): Promise<EventStream> {
  const abort = new AbortController()
  onTestFinished(() => abort.abort())
  const response = await fetch(address + path, {
    signal: abort.signal,
    headers: {
      accept: 'text/event-stream',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(lastEventId && { 'last-event-id': lastEventId }),
      ...(acceptEncoding && { 'accept-encoding': acceptEncoding }),
    },
  })
  const events: StreamEvent[] = []
  const heartbeats: number[] = []
  const sentAt: number[] = []
  let id = lastEventId ?? ''
  let type = ''
  let data: string[] = []
  let isPaused = false

  const readLine = (line: string) => {
    if (line === '') {
      if (data.length > 0)
        events.push({ type: type || 'message', data: JSON.parse(data.join('\n')) as never, lastEventId: id })
      type = ''
      data = []
      return
    }
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (colon === 0) {
      const [, heartbeat, time] = /^(heartbeat )?(\d+)$/.exec(value) ?? []
      if (time) (heartbeat ? heartbeats : sentAt).push(Number(time))
    }
    if (field === 'event') type = value
    else if (field === 'data') data.push(value)
    else if (field === 'id' && !value.includes('\0')) id = value
  }
  const readAll = async () => {
    // Parts of a line that is not complete: joined once, as the line of a list may have many megabytes.
    let parts: string[] = []
    const decoder = new TextDecoder()
    for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) {
      const lines = decoder.decode(bytes, { stream: true }).split(/\r\n|\n|\r/)
      const rest = lines.pop() ?? ''
      for (const line of lines) {
        readLine(parts.join('') + line)
        parts = []
      }
      parts.push(rest)
      while (isPaused) await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  const ended = response.ok ? readAll().catch(() => {}) : Promise.resolve()
  const returned = new Map<string, number>()
  return {
    status: response.status,
    headers: response.headers,
    events,
    heartbeats,
    sentAt,
    lastEventId: () => id,
    next: async <T>(wanted: string) => {
      const at = returned.get(wanted) ?? 0
      returned.set(wanted, at + 1)
      return eventually(() => {
        const event = events.filter((it) => it.type === wanted)[at]
        if (!event) throw new Error(`no event ${wanted} number ${at + 1} in ${events.map((it) => it.type)}`)
        return event.data as T
      })
    },
    ended,
    pause: (to) => {
      isPaused = to
    },
    close: () => abort.abort(),
  }
}

/** The address at which a test server listens; the first call starts it. */
export async function addressOf({ app }: TestApi): Promise<string> {
  const { server } = app.api.http
  if (!server.listening) await app.api.http.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.address() as { port: number }
  return `http://127.0.0.1:${port}`
}
