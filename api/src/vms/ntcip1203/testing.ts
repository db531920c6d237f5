import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const SIGNS = fileURLToPath(new URL('../../../../simulator/src/signs/main.ts', import.meta.url))
const HOST = '127.0.0.1'

/** Messages to the simulator: faults of a sign, a power loss, or a query of what it shows. */
type ParentMessage = { trouble?: Record<string, unknown> & { id: number }; restart?: number; ask?: number }

/** Signs of the simulator on loopback, in their own process. */
export async function startSimulatedSigns(count: number) {
  const sockets = Array.from({ length: count }, () => createSocket('udp4').bind(0, HOST))
  await Promise.all(sockets.map((socket) => once(socket, 'listening')))
  const addresses = sockets.map((socket, index) => ({ id: index + 1, port: socket.address().port, community: 'test' }))
  for (const socket of sockets) socket.close()

  const child = spawn(process.execPath, [SIGNS], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.stdin.end())
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const send = async (message: object) => {
    child.stdin.write(`${JSON.stringify(message)}\n`)
    return JSON.parse((await answers.next()).value as string) as { shows?: string; owner?: string }
  }
  await send({ signs: addresses })
  return {
    addresses: addresses.map((address) => ({ ...address, host: HOST, driver: 'ntcip1203' as const })),
    tell: (message: ParentMessage) => send(message),
  }
}
