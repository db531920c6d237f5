import { readFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { freePort, type Portal } from './portal.ts'

/** A way to a portal's database that can be cut: a second server stands behind it as behind a failing network. */
export type DatabaseProxy = {
  /** What the second server takes as DATABASE_URL. */
  url: string
  cut: () => Promise<void>
  mend: () => Promise<void>
}

export async function startDatabaseProxy({ dataDir }: Portal): Promise<DatabaseProxy> {
  const password = (await readFile(join(dataDir, 'postgres.secret'), 'utf8')).trim()
  // The fourth line of PostgreSQL's own pid file is its port.
  const target = Number((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[3])
  const port = await freePort()
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    near.pipe(far).pipe(near)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
  })
  const mend = () => new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  const cut = () =>
    new Promise<void>((done) => {
      server.close(() => done())
      for (const socket of sockets) socket.destroy()
    })
  await mend()
  return { url: `postgres://rogatka:${password}@127.0.0.1:${port}/postgres`, cut, mend }
}
