import { hash, randomUUID } from 'node:crypto'
import type { Pool } from './database.ts'
import type { NotifiedCache } from './listen.ts'
import { sql } from './statement.ts'

/** NOTIFY channel of the counts of all API processes. */
const CHANNEL = 'rate_counts'
/** A process reports its count of a key each time it has grown by this share of the limit. */
const REPORTS_PER_LIMIT = 10
/** Counts within this time are reported together. */
const REPORT_MS = 50
/** A notification has at most 8,000 bytes. */
const COUNTS_PER_REPORT = 80

type Limit = { max: number; seconds: number }
/** The state of a key after this request. */
type RateLimitState = { isExceeded: boolean; secondsLeft: number }
/** Counts a request of a key. */
export type RateLimiter = (key: string) => RateLimitState

/** A count of another process: limiter, number of its window, hash of the key, requests. */
type Report = [limiter: string, window: number, keyHash: string, count: number]

export type RateLimits = NotifiedCache & {
  /** A fixed-window rate limiter: `max` requests per key in `seconds`. Processes share those with the same name. */
  limiter: (name: string, limit: Limit) => RateLimiter
}

/**
 * Rate limiters that count the requests of all processes on a database: each process reports a key whose count has grown
 * by a tenth of its limit, so that a few notifications a minute suffice, and the sum is short by less than a tenth per
 * process. Without a database, or while it is unavailable, each process counts for itself.
 */
export function createRateLimits(now: () => Date, db?: Pool, onError: (error: unknown) => void = () => {}): RateLimits {
  const process = randomUUID()
  const receivers = new Map<string, (process: string, report: Report) => void>()
  let unsent: Report[] = []

  const send = async () => {
    const reports = unsent
    unsent = []
    for (let from = 0; from < reports.length; from += COUNTS_PER_REPORT) {
      const payload = JSON.stringify([process, reports.slice(from, from + COUNTS_PER_REPORT)])
      await db?.execute(sql`select pg_notify(${CHANNEL}, ${payload})`)
    }
  }
  const report = (count: Report) => {
    if (db && unsent.push(count) === 1) setTimeout(() => void send().catch(onError), REPORT_MS).unref()
  }
  const clearOthers: (() => void)[] = []

  return {
    channel: CHANNEL,
    clear: (payload) => {
      const [sender, reports] = JSON.parse(payload) as [string, Report[]]
      if (sender !== process) for (const count of reports) receivers.get(count[0])?.(sender, count)
    },
    setListening: (isListening) => {
      if (!isListening) for (const clear of clearOthers) clear()
    },
    limiter: (name, { max, seconds }) => {
      const step = Math.max(1, Math.floor(max / REPORTS_PER_LIMIT))
      const counts = new Map<string, { own: number; keyHash: string }>()
      /** Counts by hash of the key and process. */
      const others = new Map<string, Map<string, number>>()
      let window = Number.NaN
      const windowAt = (time: number) => Math.floor(time / (seconds * 1000))
      const enter = (current: number) => {
        if (current === window) return
        window = current
        counts.clear()
        others.clear()
      }
      const ofOthers = (keyHash: string) =>
        others
          .get(keyHash)
          ?.values()
          .reduce((sum, count) => sum + count, 0) ?? 0

      clearOthers.push(() => others.clear())
      receivers.set(name, (sender, [, reported, keyHash, count]) => {
        enter(windowAt(now().getTime()))
        if (reported !== window) return
        const ofKey = others.get(keyHash) ?? new Map<string, number>()
        others.set(keyHash, ofKey.set(sender, count))
      })

      return (key) => {
        const time = now().getTime()
        enter(windowAt(time))
        // Keys contain tokens, which no other connection may see.
        const count = counts.get(key) ?? { own: 0, keyHash: hash('sha256', key, 'base64url') }
        counts.set(key, count)
        count.own += 1
        if (count.own % step === 0) report([name, window, count.keyHash, count.own])
        return {
          isExceeded: count.own + ofOthers(count.keyHash) > max,
          secondsLeft: Math.max(1, Math.ceil(((window + 1) * seconds * 1000 - time) / 1000)),
        }
      }
    },
  }
}

/** The rate-limit key of an address: an IPv6 client has a whole /64 network; IPv4-mapped IPv6 counts as IPv4. */
export function clientKey(address: string): string {
  if (!address.includes(':')) return address
  const ofVersion4 = /^::ffff:([\d.]+)$/i.exec(address)?.[1]
  if (ofVersion4) return ofVersion4
  const [before = '', after = ''] = address.split('::')
  const [head, tail] = [groupsOf(before), groupsOf(after)]
  const zeros = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0')
  return [...head, ...zeros, ...tail].slice(0, 4).join(':')
}

const groupsOf = (text: string) => text.split(':').filter((group) => group !== '')
