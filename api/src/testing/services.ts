import {
  createServer as createHttpServer,
  type Server as HttpServer,
  type IncomingHttpHeaders,
  type ServerResponse,
} from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

/* Fakes of external services, by their public specifications, with typical failures. */

export type ServiceRequest = { method: string; path: string; headers: IncomingHttpHeaders; bytes: Buffer; body: string }
/** Responds to a request, or not. */
type Respond = (response: ServerResponse, request: ServiceRequest) => unknown

/** Listens on a free port of this machine until the test ends; returns the port. */
export async function listenUntilFinished(server: HttpServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** An HTTP service that records requests and returns an empty 200 by default. */
export async function startService(respond: Respond = (response) => response.end()) {
  const requests: ServiceRequest[] = []
  const server = createHttpServer(async (request, response) => {
    const bytes = Buffer.concat(await request.toArray())
    const { method = '', url = '', headers } = request
    const received = { method, path: url, headers, bytes, body: bytes.toString() }
    requests.push(received)
    respond(response, received)
  })
  return {
    address: `127.0.0.1:${await listenUntilFinished(server)}`,
    requests,
    /** Closes all connections; pending requests never get a response. */
    hangUp: () => server.closeAllConnections(),
  }
}

type MailFaults = {
  /** Closes the connection before a mail is accepted, or after accepting it without a response. */
  dies: 'before' | 'after' | null
  /** Before each response. */
  delayMs: number
}

/** A minimal mail server (RFC 5321), which can stop and restart on the same address. */
export async function startMailServer() {
  /** Headers and texts of accepted mails. */
  const received: string[] = []
  /** All received lines. */
  const lines: string[] = []
  const faults: MailFaults = { dies: null, delayMs: 0 }
  const open = new Set<Socket>()

  const serve = (socket: Socket) => {
    open.add(socket)
    let mail: string[] | null = null
    let rest = ''
    const answer = async (text: string) => {
      if (faults.delayMs > 0) await setTimeout(faults.delayMs, undefined, { ref: false })
      socket.write(`${text}\r\n`)
    }
    const handleLine = (line: string): unknown => {
      lines.push(line)
      if (mail !== null && line !== '.') return mail.push(line)
      if (mail !== null) {
        if (faults.dies !== 'before') received.push(mail.join('\n'))
        mail = null
        return faults.dies ? socket.destroy() : answer('250 taken')
      }
      if (line === 'DATA') mail = []
      return answer(line === 'DATA' ? '354 go on' : line === 'QUIT' ? '221 bye' : '250 ok')
    }
    socket.on('error', () => {})
    socket.on('data', (data) => {
      const complete = (rest + data).split('\r\n')
      rest = complete.pop() ?? ''
      for (const line of complete) handleLine(line)
    })
    void answer('220 test')
  }

  let server = createServer(serve)
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const socket of open) socket.destroy()
    })
  await listen(0)
  const { port } = server.address() as AddressInfo
  onTestFinished(stop)
  return {
    address: `127.0.0.1:${port}`,
    received,
    lines,
    faults,
    stop,
    restart: () => {
      server = createServer(serve)
      return listen(port)
    },
  }
}
