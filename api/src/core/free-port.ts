import { createServer } from 'node:net'
import { threadId } from 'node:worker_threads'

/** Below the ports that systems give out by themselves: to connections, and to servers that ask for any. */
const FIRST = 16_384
const COUNT = 16_384
/** Processes and threads begin far apart, so that they do not find the same port before one of them uses it. */
let next = process.pid * 251 + threadId * 4_099

/** A port of this machine that nobody listens on, another one at each call. @throws Error if there is none */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < COUNT; tried++) {
    const port = FIRST + (next++ % COUNT)
    if (await isFree(port)) return port
  }
  throw new Error('No port is free')
}

function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
