import { connect } from 'node:net'

/** A keep-alive connection for one request at a time. */
export type HttpConnection = { send: (request: Buffer) => Promise<string>; close: () => void }

/**
 * Opens a connection of a minimal HTTP client: it runs on the measured machine, so its own load must be small.
 */
export function openConnection(port: number): Promise<HttpConnection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  /** Parts of a response, joined once: a list has megabytes. */
  let parts: string[] = []
  let missing: number | null = null
  let onResponse: ((response: string) => void) | null = null
  let onError: ((error: Error) => void) | null = null
  socket.setEncoding('latin1')
  socket.on('data', (data: string) => {
    parts.push(data)
    if (missing !== null) missing -= data.length
    else {
      const text = parts.join('')
      const body = text.indexOf('\r\n\r\n')
      if (body < 0) return
      missing = body + 4 + Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0) - text.length
    }
    if (missing > 0) return
    const response = parts.join('')
    parts = []
    missing = null
    onResponse?.(response)
  })
  socket.on('close', () => onError?.(new Error('the server hung up')))
  const connection: HttpConnection = {
    send: (request) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) reject(new Error('the server hung up'))
        onResponse = resolve
        onError = reject
        socket.write(request)
      }),
    close: () => socket.destroy(),
  }
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('connect', () => resolve(connection))
  })
}

/** Formats a POST of JSON. */
export const postRequest = (path: string, body: unknown, headers: Record<string, string> = {}): Buffer =>
  bodyRequest('POST', path, Buffer.from(JSON.stringify(body)), { 'content-type': 'application/json', ...headers })

/** Formats a request with a body. */
export function bodyRequest(method: string, path: string, body: Buffer, headers: Record<string, string>): Buffer {
  const all = { 'content-length': String(body.length), ...headers }
  return Buffer.concat([Buffer.from(formatHead(method, path, all)), body])
}

/** Formats a request without body. */
export function getRequest(path: string, headers: Record<string, string> = {}): Buffer {
  return Buffer.from(formatHead('GET', path, headers))
}

function formatHead(method: string, path: string, headers: Record<string, string>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join('')}\r\n`
}
