import { execFile } from 'node:child_process'
import { chown, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connect } from '../core/database.ts'
import { startEmbedded } from '../core/embedded.ts'
import { raw, sql } from '../core/statement.ts'
import { databaseFolder } from './database-folder.ts'

/** Without durability; small enough for several servers. */
const SETTINGS = { fsync: 'off', shared_buffers: '64MB', max_connections: '60' }
/** Files of a running server that are not part of a base backup. */
const LEFT_OUT = ['postmaster.pid', 'postmaster.opts', 'server.log']

const run = promisify(execFile)

type Server = { url: string; stop: () => Promise<void> }

/** A primary with WAL for replicas; `prepare` fills it. `data` is the folder of its data. */
export async function startPrimary(prepare: (url: string) => Promise<void>) {
  const folder = await databaseFolder('rogatka-primary-')
  const data = join(folder, 'postgres')
  const server = await startEmbedded(data, { ...SETTINGS, wal_level: 'replica', wal_keep_size: '256MB' })
  await prepare(server.url)
  return { url: server.url, data, stop: () => stopAndRemove(server, folder) }
}

/**
 * A streaming replica of a primary, made by a base backup with the functions of PostgreSQL. What conflicts with its
 * recovery is cancelled at once.
 */
export async function startReplica(primary: { url: string; data: string }) {
  const folder = await databaseFolder('rogatka-replica-')
  const data = join(folder, 'postgres')
  const db = connect(primary.url, 1)
  const backup = await db.reserve()
  await backup.query(sql`select pg_backup_start('replica', true)`)
  await run('cp', ['-a', primary.data, `${primary.data}.secret`, folder])
  const [label] = await backup.query<{ labelfile: string }>(sql`select labelfile from pg_backup_stop(false)`)
  backup.release()
  await db.end()
  // It receives its log from the primary.
  await run('find', [join(data, 'pg_wal'), '-type', 'f', '-delete'])
  for (const name of LEFT_OUT) await rm(join(data, name), { force: true })
  const { uid, gid } = await stat(data)
  for (const [name, text = ''] of [['backup_label', label?.labelfile], ['standby.signal']] as const) {
    await writeFile(join(data, name), text)
    await chown(join(data, name), uid, gid)
  }
  const server = await startEmbedded(data, {
    ...SETTINGS,
    primary_conninfo: primary.url,
    max_standby_streaming_delay: '0',
  })
  const admin = connect(server.url, 1)
  return {
    url: server.url,
    /** Runs on the replica, bypassing the portal. */
    db: admin,
    /** Stops applying what it receives: it lags behind from now on. */
    pause: () => admin.query(sql`select pg_wal_replay_pause()`),
    resume: () => admin.query(sql`select pg_wal_replay_resume()`),
    /** Applies each commit so much later; 0: at once. */
    delay: async (ms: number) => {
      await admin.query(raw(`alter system set recovery_min_apply_delay = '${ms}ms'`))
      await admin.query(sql`select pg_reload_conf()`)
    },
    /** Kills it; it is started again within some seconds. */
    kill: async () =>
      process.kill(Number.parseInt(await readFile(join(data, 'postmaster.pid'), 'utf8'), 10), 'SIGKILL'),
    stop: async () => {
      await admin.end(1_000)
      await stopAndRemove(server, folder)
    },
  }
}

async function stopAndRemove(server: Server, folder: string): Promise<void> {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}
