import { randomInt } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { permissionsOf, type Right } from '@rogatka/contract/access.ts'
import { API_BASE, type Endpoint, type WireOf } from '@rogatka/contract/endpoint.ts'
import type { ApiError } from '@rogatka/contract/errors.ts'
import { referenceOf } from '@rogatka/contract/references.ts'
import type { InjectOptions } from 'fastify'
import { Logger, runOnce } from 'graphile-worker'
import { onTestFinished, inject as provided, vi } from 'vitest'
import { type App, createApp } from '../app.ts'
import { type Config, readConfig } from '../config.ts'
import { readDatabaseTime } from '../core/clock.ts'
import { connect, isDatabaseUnavailable, type Pool } from '../core/database.ts'
import { documentedErrors } from '../core/documented-errors.ts'
import { taskListOf } from '../core/jobs.ts'
import type { Mailer, Message } from '../core/mail.ts'
import { hashPassword } from '../core/passwords.ts'
import { insertSession } from '../core/session-queries.ts'
import { hashToken, newToken } from '../core/sessions.ts'
import { raw, sql } from '../core/statement.ts'
import { addLocation, createStationKey, type NewLocation } from '../locations/queries.ts'
import { setRole } from '../roles/user-role-queries.ts'
import { recordSignIn } from '../users/credential-queries.ts'
import { insertUser } from '../users/queries.ts'
import type { Timing } from '../vms/ntcip1203/driver.ts'
import { unknownAuditCodes } from './audit.ts'
import { cloneDatabase, dropDatabase, maintain } from './databases.ts'
import { inject } from './inject.ts'
import { databaseAt, dropVehiclePartitions } from './setup.ts'

export type CallOptions<E extends Endpoint> = {
  params?: WireOf<E, 'params'>
  query?: WireOf<E, 'query'>
  body?: WireOf<E, 'body'>
  /** Raw body instead of `body`. */
  payload?: string | Buffer | Readable
  headers?: Record<string, string>
}
type CallResult<E extends Endpoint> = {
  status: number
  /** The response. @throws if the call was refused, so that errors are not taken for a result */
  body: WireOf<E, 'response'>
  errors: ApiError[]
  bytes: Buffer
  headers: Record<string, unknown>
}

/**
 * A signed-in user, a station, or an anonymous client, calling endpoints by HTTP. A test fails if it reads neither
 * status nor errors of a refused call.
 */
export type Client = {
  call: <E extends Endpoint>(endpoint: E, options?: CallOptions<E>) => Promise<CallResult<E>>
  token: string | undefined
}

const silent = new Logger(() => () => {})

/** A password that satisfies all rules; hashed once, as hashing is slow. */
export const PASSWORD = 'Szlaban-2026-noc'
const passwordHash = hashPassword(PASSWORD)

export const testStation: NewLocation = {
  id: 7,
  shortName: 'S8 Test',
  name: 'Test',
  roadNumber: 'S8',
  chainage: '1+000',
  direction: 'Warszawa',
  speedLimit: 120,
  speedLimitHeavy: 80,
  distanceToSign: 1_000,
  distanceToCheckpoint: 5_000,
  lanes: [
    { laneNumber: 1, accuracyClass: 'B+(7)' },
    { laneNumber: 2, accuracyClass: null },
  ],
}

/** Most tests end before, without working on signs, alarms and webhooks. */
const BACKGROUND_DELAY_MS = 250

/** Faster than in production. */
const POLL_INTERVALS = { pollMs: 500, retryMs: 500 }

/** Waits until a check passes: other processes, jobs and listeners take time, more on a busy machine. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 20_000 })

type User = Client & { userId: number; username: string; permissions: string[] }

type TestClock = { now: Date; database?: true }

export type TestApi = {
  name: string
  url: string
  db: Pool
  app: App
  /** `database`: its true clock limits what expires, not `now`. */
  clock: TestClock
  close: () => Promise<void>
  /** Makes the database unavailable: closes all connections and accepts none. Returns a function that restores it. */
  loseDatabase: () => Promise<() => Promise<void>>
  /** Runs all due jobs once. */
  runJobs: () => Promise<void>
  /** Log lines of the server; none at the default level `silent`. */
  logged: string[]
  /** Sent mails. */
  sent: Message[]
  /** An anonymous client. */
  anyone: Client
  client: (token?: string) => Client
  /** Adds a user with a role of exactly these permissions and signs them in. */
  withPermissions: (permissions: string[]) => Promise<User>
  /** A new user with exactly these rights (the first permission of each). */
  as: (...rights: Right[]) => Promise<User>
  /** A client with a new station key; adds the station if it does not exist. */
  station: (location?: NewLocation) => Promise<Client>
}

/** The OpenAPI document has to name every code of an endpoint with its status. @throws otherwise */
function assertDocumented(endpoint: Endpoint, status: number, errors: ApiError[] | undefined): void {
  const known = documentedErrors(endpoint, referenceOf(endpoint)?.errors).get(status) ?? []
  const missing = (errors ?? []).filter(({ code }) => !known.includes(code)).map(({ code }) => code)
  if (missing.length > 0)
    throw new Error(
      `${endpoint.method} ${endpoint.path} refused with ${status} ${missing.join(', ')}, which its reference in contract/src lacks`,
    )
}

/**
 * A server on its own database, cloned from the migrated template and dropped after the test. `clock.now` is the
 * server's time; two apps on one database represent two processes, also on a `server` of their own. Evidence is not sealed
 * in the background. With `partitions` in the settings it has no partition of vehicles yet.
 */
export async function testApi(
  settings: Partial<Config> = {},
  share?: { name: string; clock: TestClock; server?: string },
  realMailer?: Mailer,
  signTiming?: Timing,
): Promise<TestApi> {
  const name = share?.name ?? `test_${newToken().slice(0, 12).replaceAll('-', '_').toLowerCase()}`
  if (!share) await cloneDatabase(name)
  const url = databaseAt(share?.server ?? provided('databaseServer'), name)
  const db = connect(url, 8)
  if (!share && settings.partitions) await dropVehiclePartitions(db)
  // `PARTITIONS=week npm test` runs all tests with weekly partitions.
  const { PARTITIONS } = process.env
  // Files are named by ids, which are the same in each test. Apps on one database share them, too.
  const dataDir = join(tmpdir(), `rogatka-${name}`)
  const environment = {
    LOG_LEVEL: 'silent',
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    SECOND_FACTOR: 'off',
    ...(PARTITIONS && { PARTITIONS }),
  }
  const config = { ...readConfig(environment), demo: false, ...settings }
  const clock: TestClock = share?.clock ?? { now: new Date('2026-10-20T08:00:00Z') }
  const sent: Message[] = []
  const logged: string[] = []
  const mailer: Mailer = {
    canSend: true,
    send: async (message) => {
      sent.push(message)
    },
  }
  const app = await createApp(config, db, {
    now: () => clock.now,
    databaseNow: async () => (clock.database ? readDatabaseTime(db) : clock.now),
    ...(settings.smtpUrl && !realMailer ? {} : { mailer: realMailer ?? mailer }),
    logTo: { write: (line) => logged.push(line) },
    signIntervals: POLL_INTERVALS,
    seals: false,
    backgroundDelayMs: BACKGROUND_DELAY_MS,
    ...(signTiming && { signTiming }),
  })
  await app.listen()

  let isClosed = false
  const close = async () => {
    isClosed = true
    await app.close()
    await db.end(1_000)
    if (share) return
    await dropDatabase(name)
    await rm(dataDir, { recursive: true, force: true })
  }
  onTestFinished(close)

  // Runs before the server closes, unless the test closed it or made its database unavailable.
  onTestFinished(async () => {
    if (share || isClosed) return
    const unknown = await unknownAuditCodes(db).catch((error) => {
      if (isDatabaseUnavailable(error)) return []
      throw error
    })
    if (unknown.length > 0) throw new Error(`audited, but not named in contract/src/activity.ts: ${unknown.join(', ')}`)
  })

  const unchecked = new Set<Error>()
  onTestFinished(() => {
    const calls = [...unchecked].map(({ message }) => message)
    if (calls.length > 0) throw new Error(`refused, and the test does not check it: ${calls.join(', ')}`)
  })

  const client = (token?: string): Client => ({
    token,
    call: async (endpoint, options = {}) => {
      const query = Object.entries((options.query ?? {}) as Record<string, unknown>).flatMap(([key, value]) =>
        (Array.isArray(value) ? value : [value]).map((item): [string, string] => [key, String(item)]),
      )
      const params = (options.params ?? {}) as unknown as Record<string, unknown>
      const path = endpoint.path.replace(/:(\w+)/g, (_, key) => encodeURIComponent(String(params[key])))
      const request: InjectOptions = {
        method: endpoint.method,
        url: `${API_BASE}${path}?${new URLSearchParams(query)}`,
        headers: { ...(token && { authorization: `Bearer ${token}` }), ...options.headers },
      }
      const payload = options.payload ?? options.body
      if (payload !== undefined) request.payload = payload as NonNullable<InjectOptions['payload']>
      const response = await inject(app.api.http, request)
      const isJson = response.body !== '' && String(response.headers['content-type']).startsWith('application/json')
      const json = isJson ? JSON.parse(response.body) : undefined
      const { statusCode: status, rawPayload: bytes, headers } = response
      if (status < 400) return { status, body: json, errors: [], bytes, headers }
      assertDocumented(endpoint, status, json)
      const refusal = new Error(`${endpoint.method} ${path}: ${status} ${response.body}`)
      unchecked.add(refusal)
      return {
        get status() {
          unchecked.delete(refusal)
          return status
        },
        get errors() {
          unchecked.delete(refusal)
          return json
        },
        get body(): never {
          unchecked.delete(refusal)
          throw refusal
        },
        bytes,
        headers,
      }
    },
  })

  async function withPermissions(permissions: string[]): Promise<User> {
    const username = `person${randomInt(1e9)}`
    const [role] = await db.query<{ id: number }>(sql`
      insert into role (name, permissions) values (${username}, ${permissions}) returning id`)
    const roleId = role?.id as number
    const person = { username, firstName: 'Test', lastName: 'Test', email: null, passwordHash: await passwordHash }
    const userId = await insertUser(db, person, clock.now)
    await setRole(db, userId, roleId)
    const token = newToken()
    await recordSignIn(db, userId, person.passwordHash, clock.now)
    await insertSession(db, { tokenHash: hashToken(token), userId, ip: '127.0.0.1', userAgent: null }, clock.now)
    return { ...client(token), userId, username, permissions }
  }

  return {
    name,
    url,
    db,
    app,
    clock,
    close,
    sent,
    logged,
    runJobs: () =>
      runOnce({ connectionString: url, taskList: taskListOf(app.jobs.recurring, app.jobs.tasks), logger: silent }),
    loseDatabase: async () => {
      const allow = (allowed: boolean) => maintain(raw(`alter database "${name}" allow_connections ${allowed}`))
      await allow(false)
      await maintain(sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`)
      return async () => void (await allow(true))
    },
    anyone: client(),
    client,
    withPermissions,
    as: (...rights) => withPermissions(rights.map((right) => permissionsOf(right)[0] as string)),
    station: async (location = testStation) => {
      await addLocation(db, location)
      return client(await createStationKey(db, location.id, clock.now))
    },
  }
}
