import { connect } from 'node:net'

/** A connection that is kept open, as a browser keeps it. It is asked one thing at a time. */
export type HttpConnection = { ask: (request: Buffer) => Promise<string>; close: () => void }

/**
 * HTTP in as few steps as possible: the machine that is measured also runs the client, which must not be what is
 * measured.
 */
export function openConnection(port: number): Promise<HttpConnection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let text = ''
  let answered: ((answer: string) => void) | null = null
  let failed: ((error: Error) => void) | null = null
  socket.setEncoding('latin1')
  socket.on('data', (data) => {
    text += data
    const body = text.indexOf('\r\n\r\n')
    if (body < 0) return
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
    if (text.length < body + 4 + length) return
    const answer = text
    text = ''
    answered?.(answer)
  })
  socket.on('close', () => failed?.(new Error('the server hung up')))
  const line: HttpConnection = {
    ask: (request) =>
      new Promise((resolve, reject) => {
        answered = resolve
        failed = reject
        socket.write(request)
      }),
    close: () => socket.destroy(),
  }
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('connect', () => resolve(line))
  })
}

/** The bytes of a request without a body. */
export function getRequest(path: string, headers: Record<string, string> = {}): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join('')}\r\n`)
}
