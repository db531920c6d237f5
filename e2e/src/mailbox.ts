import { createServer, type Socket } from 'node:net'
import { freePort } from '@rogatka/api/core/free-port.ts'

/** A fake SMTP server that records messages. */
export type Mailbox = {
  /** The SMTP_URL of the portal. */
  url: string
  /** The decoded text of each message. */
  received: string[]
  close: () => Promise<void>
}

export async function openMailbox(): Promise<Mailbox> {
  const received: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    handleSession(socket, (message) => received.push(message))
  })
  const port = await freePort()
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  const close = () =>
    new Promise<void>((done) => {
      server.close(() => done())
      for (const socket of sockets) socket.destroy()
    })
  return { url: `smtp://127.0.0.1:${port}`, received, close }
}

/** A minimal SMTP session: accepts every command; a line with a dot ends the data. */
function handleSession(socket: Socket, onMessage: (message: string) => void) {
  let text = ''
  let inData = false
  socket.write('220 mailbox\r\n')
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    text += chunk
    for (;;) {
      const end = text.indexOf(inData ? '\r\n.\r\n' : '\r\n')
      if (end < 0) return
      const part = text.slice(0, end)
      text = text.slice(end + (inData ? 5 : 2))
      if (inData) {
        onMessage(bodyOf(part))
        inData = false
        socket.write('250 kept\r\n')
      } else if (/^DATA/i.test(part)) {
        inData = true
        socket.write('354 go on\r\n')
      } else if (/^QUIT/i.test(part)) socket.end('221 bye\r\n')
      else socket.write('250 mailbox\r\n')
    }
  })
}

/** Decodes the text of a single-part message. */
function bodyOf(message: string): string {
  const [head = '', ...rest] = message.split('\r\n\r\n')
  const body = rest.join('\r\n\r\n')
  const encoding = /^content-transfer-encoding:\s*(\S+)/im.exec(head)?.[1]?.toLowerCase()
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  if (encoding !== 'quoted-printable') return body
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
