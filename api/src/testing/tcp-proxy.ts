import { connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'

/** A TCP proxy that can freeze, like a hung host or failing network: connections stay open without data. */
export type TcpProxy = {
  port: number
  freeze: () => void
  /** New connections pass; frozen ones stay frozen. */
  thaw: () => void
  /** New connections are closed at once; existing ones stay. */
  refuse: () => void
  accept: () => void
  /** Closes existing connections when their clients next send something, which does not arrive; new ones have no delay. */
  loseNextData: () => void
  /** Closes all connections and the port. */
  cut: () => Promise<void>
  /** Opens the same port again. */
  restore: () => Promise<void>
  /** Local ports of the connections to the target. */
  ports: () => number[]
}

const delay = (ms: number) =>
  new Transform({ transform: (chunk, _, done) => void setTimeout(() => done(null, chunk), ms) })

/** Starts a proxy to a port of a host; `replyDelayMs`: data to the client is that late. */
export async function startTcpProxy(host: string, port: number, replyDelayMs = 0): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  const upstreams = new Set<Socket>()
  const clients = new Set<Socket>()
  let delayMs = replyDelayMs
  let isFrozen = false
  let isRefusing = false
  const server = createServer({ pauseOnConnect: true }, (client) => {
    if (isRefusing) return void client.destroy()
    const upstream = connect(port, host)
    upstreams.add(upstream)
    clients.add(client)
    if (!isFrozen && delayMs > 0) client.pipe(upstream).pipe(delay(delayMs)).pipe(client)
    else if (!isFrozen) client.pipe(upstream).pipe(client)
    for (const [socket, peer] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        upstreams.delete(upstream)
        clients.delete(client)
        peer.destroy()
      })
    }
  })
  const listen = (on: number) => new Promise<void>((resolve) => server.listen(on, '127.0.0.1', resolve))
  await listen(0)
  const address = server.address()
  const own = typeof address === 'object' && address ? address.port : 0
  return {
    port: own,
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
    loseNextData: () => {
      delayMs = 0
      for (const client of clients)
        client
          .unpipe()
          .once('data', () => client.destroy())
          .resume()
    },
    cut: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
    restore: () => listen(own),
    ports: () => [...upstreams].flatMap(({ localPort }) => localPort ?? []),
  }
}
