import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A TCP proxy that can freeze, like a hung host or failing network: connections stay open without data. */
export type Proxy = {
  /** URL of the target through the proxy. */
  url: string
  freeze: () => void
  /** New connections pass; frozen ones stay frozen. */
  thaw: () => void
  /** New connections are closed at once; existing ones stay. */
  refuse: () => void
  accept: () => void
  /** Local ports of the connections to the target. */
  ports: () => number[]
}

export async function startProxy(target: string): Promise<Proxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let isFrozen = false
  let isRefusing = false
  const targets = new Set<Socket>()
  const server = createServer({ pauseOnConnect: true }, (client) => {
    if (isRefusing) return void client.destroy()
    const upstream = connect(Number(port), hostname)
    targets.add(upstream)
    const pass = () => client.pipe(upstream).pipe(client)
    if (!isFrozen) pass()
    for (const [socket, peer] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        targets.delete(upstream)
        peer.destroy()
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
