import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A TCP proxy that can fall silent, as a frozen host or a failing network does: connections stay open, nothing passes. */
export type Proxy = {
  /** The URL of the target with the address of the proxy. */
  url: string
  freeze: () => void
  /** New connections pass again; those from before stay silent for ever. */
  thaw: () => void
  /** New connections are closed at once; those from before stay. */
  refuse: () => void
  accept: () => void
  /** Of this machine, of the connections to the target. */
  ports: () => number[]
}

export async function startProxy(target: string): Promise<Proxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let isFrozen = false
  let isRefusing = false
  const targets = new Set<Socket>()
  const server = createServer({ pauseOnConnect: true }, (near) => {
    if (isRefusing) return void near.destroy()
    const far = connect(Number(port), hostname)
    targets.add(far)
    const pass = () => near.pipe(far).pipe(near)
    if (!isFrozen) pass()
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        sockets.delete(one)
        targets.delete(far)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const address = server.address()
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String(typeof address === 'object' && address ? address.port : 0)
  return {
    url: url.href,
    freeze: () => {
      isFrozen = true
      for (const socket of sockets) socket.unpipe().pause()
    },
    thaw: () => {
      isFrozen = false
    },
    refuse: () => {
      isRefusing = true
    },
    accept: () => {
      isRefusing = false
    },
    ports: () => [...targets].flatMap(({ localPort }) => localPort ?? []),
  }
}
