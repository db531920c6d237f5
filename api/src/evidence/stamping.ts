import type { X509Certificate } from 'node:crypto'
import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from '../core/database.ts'
import {
  claimDueStamp,
  insertStampAttempt,
  recordStampFailure,
  type Stamp,
  type StampKind,
  storeStamp,
} from './stamp-queries.ts'
import { createStampQuery, readStampReply, StampError } from './tsp.ts'

/** Of one authority, from the connection to the end of its response. */
const TIMEOUT_MS = 10_000
/** Of all authorities together, while a user waits for a document. */
const WAITING_MS = 3_000
/** A time stamp has some thousand bytes. */
const MAX_REPLY_BYTES = 64 * 1024
/** Waits after a failure, in minutes; then hourly. */
const DELAYS_MIN = [1, 5, 15, 60]
/** Stamps of one run of the job. */
const MAX_PER_RUN = 500

export type Stamping = {
  /** Asks for a stamp of a SHA-256 at once; null if no authority gives it, which jobs repeat. */
  obtain: (imprint: Buffer, about: StampKind) => Promise<Stamp | null>
  /** Asks for the stamps that are due; ends at the first that no authority gives. */
  stampDue: () => Promise<void>
}

type Options = {
  db: Pool
  /** Addresses of authorities, in order of preference. */
  urls: readonly string[]
  /** Roots of their certificates. */
  trusted: readonly X509Certificate[]
  now: () => Date
  log: FastifyBaseLogger
  timeoutMs?: number
}

/** When to ask again after this number of failures. */
const nextAttempt = (failures: number, now: Date): Date =>
  new Date(now.getTime() + (DELAYS_MIN[Math.min(failures, DELAYS_MIN.length) - 1] ?? 1) * MINUTE_MS)

export function createStamping({ db, urls, trusted, now, log, timeoutMs = TIMEOUT_MS }: Options): Stamping {
  /** @returns the stamp, or why the last authority did not give it */
  async function ask(imprint: Buffer, signal?: AbortSignal): Promise<Stamp | string> {
    let reason = 'not-reachable'
    for (const url of urls) {
      const { query, nonce } = createStampQuery(imprint)
      try {
        const limit = AbortSignal.timeout(timeoutMs)
        const reply = await post(url, query, signal ? AbortSignal.any([signal, limit]) : limit)
        return await readStampReply(reply, { imprint, nonce, trusted, now: now() })
      } catch (error) {
        reason = error instanceof StampError ? error.code : 'not-reachable'
        log.warn({ err: error, host: new URL(url).host, reason }, 'time stamp: not given')
      }
    }
    return reason
  }

  async function attempt(id: number, imprint: Buffer, failures: number, signal?: AbortSignal): Promise<Stamp | null> {
    const result = await ask(imprint, signal)
    if (typeof result === 'string') {
      await recordStampFailure(db, id, result, nextAttempt(failures + 1, now()))
      return null
    }
    await storeStamp(db, id, result)
    return result
  }

  return {
    obtain: async (imprint, about) => {
      const { id, isFailing } = await insertStampAttempt(db, imprint, about, now(), nextAttempt(1, now()))
      // While authorities fail, nobody waits for them.
      return isFailing ? null : attempt(id, imprint, 0, AbortSignal.timeout(WAITING_MS))
    },
    stampDue: async () => {
      for (let count = 0; count < MAX_PER_RUN; count++) {
        // No other process takes the request until then.
        const lease = new Date(now().getTime() + urls.length * timeoutMs + MINUTE_MS)
        const due = await claimDueStamp(db, now(), lease)
        if (!due || !(await attempt(due.id, due.imprint, due.failures))) return
      }
    },
  }
}

/** @throws StampError or an error of the connection */
async function post(url: string, query: Buffer, signal: AbortSignal): Promise<Buffer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
    body: new Uint8Array(query),
    redirect: 'error',
    signal,
  })
  if (!response.ok || !response.body) throw new StampError('refused')
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body) {
    size += part.length
    if (size > MAX_REPLY_BYTES) throw new StampError('malformed')
    parts.push(part)
  }
  return Buffer.concat(parts)
}
