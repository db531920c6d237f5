import { createServer as createHttpServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

/* Foreign services on this machine, written from their public contracts, that fail in the ways in which services fail. */

export type ServiceRequest = { method: string; path: string; headers: IncomingHttpHeaders; bytes: Buffer; body: string }
/** Answers a request, or does not. */
type Respond = (response: ServerResponse, request: ServiceRequest) => unknown

/** An HTTP service. It keeps the requests, and answers all with an empty 200 unless told otherwise. */
export async function startService(respond: Respond = (response) => response.end()) {
  const requests: ServiceRequest[] = []
  const server = createHttpServer(async (request, response) => {
    const bytes = Buffer.concat(await request.toArray())
    const { method = '', url = '', headers } = request
    const received = { method, path: url, headers, bytes, body: bytes.toString() }
    requests.push(received)
    respond(response, received)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    /** Breaks all connections: what was not answered never will be. */
    hangUp: () => server.closeAllConnections(),
  }
}

type MailFaults = {
  /** The connection breaks before a mail is taken, or after it was and before that is said. */
  dies: 'before' | 'after' | null
  /** Before each answer. */
  delayMs: number
}

/** A mail server (RFC 5321), as little of one as senders need; it can go away and come back to the same address. */
export async function startMailServer() {
  /** Headers and texts of the mails that it took. */
  const received: string[] = []
  /** All lines that it was sent. */
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
    const take = (line: string): unknown => {
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
      const found = (rest + data).split('\r\n')
      rest = found.pop() ?? ''
      for (const line of found) take(line)
    })
    void answer('220 test')
  }

  let server = createServer(serve)
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const leave = () =>
    new Promise<void>((gone) => {
      server.close(() => gone())
      for (const socket of open) socket.destroy()
    })
  await listen(0)
  const { port } = server.address() as AddressInfo
  onTestFinished(leave)
  return {
    address: `127.0.0.1:${port}`,
    received,
    lines,
    faults,
    leave,
    comeBack: () => {
      server = createServer(serve)
      return listen(port)
    },
  }
}
