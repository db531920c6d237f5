import { readdirSync, readFileSync } from 'node:fs'
import type { Database } from '@rogatka/api/core/database.ts'
import { sql } from '@rogatka/api/core/statement.ts'

/** Of the times in /proc. */
const TICK_MS = 10

/** Processor time of this process and of the database on this machine so far, ms; NaN where there is no /proc. */
export async function createProcessorClock(db: Database): Promise<() => number> {
  const [backend] = await db.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
  const server = statOf(String(backend?.pid))?.parent
  return () => {
    const { user, system } = process.cpuUsage()
    const own = (user + system) / 1_000
    const stat = server && statOf(server)
    if (!stat) return Number.NaN
    const backends = readdirSync('/proc').map((pid) => (/^\d+$/.test(pid) ? statOf(pid) : undefined))
    const running = backends.reduce((sum, one) => (one?.parent === server ? sum + one.own : sum), 0)
    return own + TICK_MS * (stat.own + stat.ofEnded + running)
  }
}

/** Ticks of a process, and of its children that have ended; undefined if it has ended, too. */
function statOf(pid: string): { parent: string; own: number; ofEnded: number } | undefined {
  try {
    // After the name, which may contain spaces: state, parent; the times are the 12th to 15th.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number)
    return { parent: fields[1] ?? '', own: user + system, ofEnded: endedUser + endedSystem }
  } catch {
    return undefined
  }
}
