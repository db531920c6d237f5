import { createHmac, timingSafeEqual } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { selfSigned } from '../testing/self-signed.ts'

/** A message as a receiver got it. */
export type ReceivedMessage = {
  id: string
  timestamp: number
  signatures: string[]
  body: string
  path: string
  json: { type: string; timestamp: string; data: Record<string, unknown> }
  headers: Record<string, string | string[] | undefined>
}

/** What the receiver does with a message: a status, a redirect, another protocol, no answer at all, or a closed connection. */
export type Answer = number | { redirect: string } | 'upgrade' | 'silent' | 'close' | { endless: true }

/**
 * A receiver of webhooks on the loopback interface, with a certificate of its own for `receiver.test` and 127.0.0.1. It
 * keeps what it gets, in the order of arrival.
 */
export async function startReceiver(answer: (message: ReceivedMessage) => Answer | Promise<Answer> = () => 204) {
  const { key, cert } = selfSigned()
  const received: ReceivedMessage[] = []
  const server = createServer({ key, cert }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const body = Buffer.concat(chunks).toString()
      const { headers } = request
      const message: ReceivedMessage = {
        id: String(headers['webhook-id']),
        timestamp: Number(headers['webhook-timestamp']),
        signatures: String(headers['webhook-signature']).split(' '),
        body,
        path: request.url ?? '',
        json: JSON.parse(body),
        headers,
      }
      received.push(message)
      const what = await answer(message)
      if (what === 'silent') return
      if (what === 'close') return void request.socket.destroy()
      if (what === 'upgrade')
        return void request.socket.write(
          'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
        )
      if (typeof what === 'number') return void response.writeHead(what).end('{"ignored":true}')
      if ('redirect' in what) return void response.writeHead(302, { location: what.redirect }).end()
      response.writeHead(200)
      const writing = setInterval(() => response.write('x'.repeat(4_096)), 1)
      response.on('close', () => clearInterval(writing))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { received, cert, port, url: `https://127.0.0.1:${port}/events` }
}

/** A name server for IPv4 addresses (RFC 1035); it is silent about a name whose addresses are null. Returns its address. */
export async function startNameServer(addressesOf: (name: string) => readonly string[] | null): Promise<string> {
  const socket = createSocket('udp4')
  socket.on('message', (query, { address, port }) => {
    const labels: string[] = []
    let at = 12
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length))
      at += length + 1
    }
    const found = addressesOf(labels.join('.'))
    if (!found) return
    const records = query.readUInt16BE(at + 1) === 1 ? found : []
    // A response without an error, to one question, with an answer for each address: name of the question, type A.
    const counts = Buffer.from([0x81, 0x80, 0, 1, 0, records.length, 0, 0, 0, 0])
    const answers = records.map((record) =>
      Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...record.split('.').map(Number)]),
    )
    socket.send(Buffer.concat([query.subarray(0, 2), counts, query.subarray(12, at + 5), ...answers]), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  onTestFinished(() => void socket.close())
  return `127.0.0.1:${socket.address().port}`
}

/** Whether a message is signed with a secret, as Standard Webhooks describes it. */
export function isSigned({ id, timestamp, body, signatures }: ReceivedMessage, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
  return signatures.some((signature) => {
    const [version, digest = ''] = signature.split(',')
    const given = Buffer.from(digest, 'base64')
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
}
