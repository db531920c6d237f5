import { connect } from 'node:net'
import { getRequest } from './http-connection.ts'

/** Without handlers a stream is received, but its events are not read. */
type Handlers = {
  /** Ids of new vehicles. */
  onAdded?: (ids: number[]) => void
  /** A vehicle and the path of its first image. */
  onImage?: (vehicle: string, path: string) => void
}

export type StreamConnection = {
  status: number
  /** Resolves when the list of the opening is complete: the counters follow it. */
  listed: Promise<void>
  /** Bytes received until then. */
  listBytes: () => number
  close: () => void
}

/** Id and name of an event, and the head of its block, are within. */
const HEAD_LENGTH = 200
const ADDED = /"added":\[(.*?)\],"changed":\[/s
const VEHICLE = /\{"id":(\d+),"createdAt"/g
const IMAGE = /\{"id":(\d+),"createdAt"(?:(?!\{"id":\d+,"createdAt").)*?"images":\[\{[^}]*"path":"([^"]+)"/gs

/**
 * Opens a stream of live vehicles with a minimal reader: it runs on the measured machine, so its own load must be small.
 * Like a browser it accepts gzip, in which short events are stored as they are: they are found between the heads of
 * their blocks, and a compressed list is received without being decompressed.
 */
export function openStream(
  port: number,
  path: string,
  headers: Record<string, string>,
  handlers?: Handlers,
): Promise<StreamConnection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let resolveListed: () => void = () => {}
  let isListed = false
  const connection = {
    status: 0,
    listed: new Promise<void>((resolve) => {
      resolveListed = resolve
    }),
    listBytes: () => bytes,
    close: () => socket.destroy(),
  }
  let bytes = 0
  /** Parts of an event that is not complete: joined once, as a list has megabytes. */
  let parts: string[] = []
  const read = (event: string) => {
    if (!isListed) {
      isListed = event.includes('event: counters\n')
      if (isListed) resolveListed()
    } else if (event.slice(0, HEAD_LENGTH).includes('event: vehicles\n')) {
      const ids = [...(ADDED.exec(event)?.[1] ?? '').matchAll(VEHICLE)].map(([, id]) => Number(id))
      if (ids.length > 0) handlers?.onAdded?.(ids)
      for (const [, vehicle = '', path = ''] of handlers?.onImage ? event.matchAll(IMAGE) : [])
        handlers?.onImage?.(vehicle, path)
    }
  }
  const readPart = (data: string) => {
    // The end of an event may be divided between two parts.
    const last = parts.at(-1)?.at(-1) === '\n' ? '\n' : ''
    let from = 0
    for (let end = (last + data).indexOf('\n\n'); end >= 0; end = data.indexOf('\n\n', from)) {
      const until = from === 0 ? end - last.length : end
      read(parts.join('') + data.slice(from, until + 1))
      parts = []
      from = until + 2
    }
    if (from < data.length) parts.push(data.slice(from))
  }
  if (handlers) socket.setEncoding('latin1')
  socket.write(getRequest(path, { ...headers, accept: 'text/event-stream', 'accept-encoding': 'gzip' }))
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.on('data', (received: Buffer | string) => {
      if (!isListed) bytes += received.length
      if (connection.status === 0) {
        connection.status = Number(/^HTTP\/1.1 (\d+)/.exec(received.toString())?.[1] ?? 0)
        if (connection.status !== 200) resolveListed()
        resolve(connection)
        if (typeof received === 'string') readPart(received.slice(received.indexOf('\r\n\r\n') + 4))
        return
      }
      if (typeof received === 'string') readPart(received)
    })
    socket.on('close', () => resolveListed())
  })
}
