import { randomBytes } from 'node:crypto'
import { lookKinds } from '@rogatka/contract/looks.ts'
import type { FastifyBaseLogger } from 'fastify'
import { createDatabaseClock } from './clock.ts'
import { type Connection, type Pool, SESSION_TIMEOUT_MS } from './database.ts'
import { createGroupCommit } from './group-commit.ts'
import { isExemptFromTrail, type Look, type LookSource, sessionOf } from './look.ts'
import { vehicleKey } from './passage.ts'
import { Refusal } from './refusal.ts'
import { encrypt } from './secrets.ts'
import { storable } from './text.ts'
import { withDatabaseTimeout } from './timeout.ts'
import { createTrailImages } from './trail-images.ts'
import { askedMacs, shownMacs } from './trail-macs.ts'
import { ensureTrailPartitions } from './trail-partitions.ts'
import { findOrCreateTrailKey, insertTrailRows, type TrailRow } from './trail-queries.ts'
import { closeIdleVisits, createVisitOpener, type LivePlates, SYNC_INTERVAL_MS } from './trail-visit-lines.ts'
import { createTrailVisits } from './trail-visits.ts'

/** Lines written together. */
const MAX_GROUP = 100
/** Encrypted with the key of the trail. */
export const ASKED = 'asked'

export type Trail = ReturnType<typeof createTrail>

/**
 * Writes the access trail. Lines are written on a connection of their own, so that neither a full pool nor a long report
 * delays them.
 */
export function createTrail({
  db,
  trailKey,
  now,
  databaseNow,
  log,
}: {
  db: Pool
  /** Null: the one in the database, which is created when it is first needed. */
  trailKey: Buffer | null
  now: () => Date
  /** The clock of the database, by which visits are idle: clocks of processes may differ. */
  databaseNow: () => Promise<Date>
  log: Pick<FastifyBaseLogger, 'warn'>
}) {
  let connecting: Promise<Connection> | undefined
  /** The connection; opened again after it was lost. */
  const connection = (): Promise<Connection> => {
    connecting ??= db.open().then(
      (opened) => {
        void opened.closed.then(() => {
          connecting = undefined
        })
        return opened
      },
      (error) => {
        connecting = undefined
        throw error
      },
    )
    return connecting
  }

  let loading: Promise<Buffer> | undefined
  /** The key of HMACs. */
  function key(): Promise<Buffer> {
    loading ??= (trailKey ? Promise.resolve(trailKey) : findOrCreateTrailKey(db, randomBytes(32))).catch((error) => {
      loading = undefined
      throw error
    })
    return loading
  }

  const commit = createGroupCommit<TrailRow, void>({
    write: async (rows) => {
      await ensureTrailPartitions(
        db,
        rows.map(({ at }) => new Date(at)),
      )
      await insertTrailRows(await connection(), rows)
      return rows.map(() => undefined)
    },
    sizeOf: () => 1,
    maxSize: MAX_GROUP,
  })

  /**
   * Waits for a write, as long as authentication waits for the database.
   * @throws 503 if it fails or takes too long: the answer must not be sent
   */
  async function waitForWrite(write: Promise<unknown>): Promise<void> {
    try {
      await withDatabaseTimeout(write, SESSION_TIMEOUT_MS)
    } catch (error) {
      log.warn({ err: error }, 'access trail: a line could not be written; an answer without its line is withheld')
      // A connection that does not answer would hold up all that follow.
      if ((error as { code?: unknown }).code === 'CONNECTION_TIMEOUT')
        void connecting?.then(
          (opened) => opened.close(),
          () => {},
        )
      throw new Refusal('unavailable', 503, null, 5)
    }
  }

  async function createRow({ session, ip, endpoint }: LookSource, look: Look, at: Date): Promise<TrailRow> {
    const { device, system, webhookId } = session
    const secret = await key()
    const asked = look.asked?.filter((plate) => plate !== '') ?? []
    return {
      at: at.toISOString(),
      user_id: device || system || webhookId !== undefined ? null : session.userId,
      system_id: system?.id ?? null,
      device_id: device?.id ?? null,
      user_name: session.username,
      role_id: session.roleId,
      token_hash: session.tokenHash.toString('hex'),
      session: sessionOf(session).toString('hex'),
      ip,
      call: `${endpoint.method} ${endpoint.path}`,
      kind: lookKinds.indexOf(look.kind) + 1,
      criteria: JSON.parse(JSON.stringify(look.criteria ?? {}, toStorable)),
      asked: asked.length > 0 ? askedMacs(secret, asked) : null,
      asked_text: asked.length > 0 ? encrypt(secret, JSON.stringify(asked), ASKED).toString('hex') : null,
      results: look.results,
      plates: look.shown.count,
      shown: shownMacs(secret, look.shown),
      vehicle_key: look.vehicle ? vehicleKey(look.vehicle) : null,
    }
  }

  /** Writes a line for an answer before it is sent; none in an anonymised session, which sees no plate. @throws 503 */
  async function record(source: LookSource, look: Look): Promise<void> {
    if (isExemptFromTrail(source, look)) return
    const at = now()
    await waitForWrite(createRow(source, look, at).then(commit))
    images.cover(source.session, look, at)
  }

  const databaseClock = createDatabaseClock(now, databaseNow)
  const databaseTime = databaseClock.timeAt
  const images = createTrailImages({ db, now, databaseTime, key })
  const openVisit = createVisitOpener({ db, key, connection, databaseTime })
  const { watch } = images
  const visits = createTrailVisits({ db, now, databaseClock, key, createRow, openVisit, waitForWrite, watch })

  /** Closes the visits that no process has seen polled for a while; those of this process are written before. */
  async function closeIdle(platesOfLive: LivePlates): Promise<void> {
    await visits.sync()
    await closeIdleVisits({ db, key, databaseNow }, platesOfLive)
  }

  function start(): { stop: () => Promise<void> } {
    const warn = (error: unknown) => log.warn({ err: error }, 'access trail: visits not written, trying again')
    void databaseClock.measure().catch(() => {})
    const timer = setInterval(() => visits.sync().catch(warn), SYNC_INTERVAL_MS).unref()
    return {
      stop: async () => {
        clearInterval(timer)
        await visits.sync().catch(warn)
        await connecting?.then(
          (opened) => opened.close(),
          () => {},
        )
      },
    }
  }

  const { recordVisit, divideVisits } = visits
  return { record, recordVisit, divideVisits, covers: images.covers, closeIdle, start, key }
}

const toStorable = (_: string, value: unknown) => (typeof value === 'string' ? storable(value) : value)
