import { createLruCache } from '../core/lru-cache.ts'
import { KEEP_CHANGES_MS, RESEND_MS } from './window.ts'

/** More than all open live lists. */
const MAX_POLLS = 50_000
/** After a longer gap, changes that the client has missed are no longer kept. */
const MAX_GAP_MS = KEEP_CHANGES_MS - RESEND_MS

/**
 * When each live list was polled last, by session and filters: after a gap, as by an answer that was late or lost, its
 * client needs the changes of a longer time than one that polls each second.
 */
export function createPollTimes() {
  const polled = createLruCache<Date>(MAX_POLLS)
  const listed = createLruCache<Date>(MAX_POLLS)
  /** In both directions, so that a clock set back does not hide it. Unknown: perhaps polled in another process. */
  const gapMs = (at: Date | undefined, now: Date) => (at ? Math.abs(now.getTime() - at.getTime()) : MAX_GAP_MS)
  return {
    /** Maximum age of the changes that the client may lack, ms. */
    ofCheck: (key: string, now: Date) => gapMs(polled.get(key), now) + RESEND_MS,
    ofList(key: string, now: Date) {
      const gap = gapMs(polled.get(key), now)
      return (gap > MAX_GAP_MS ? gap : Math.min(gapMs(listed.get(key), now), MAX_GAP_MS)) + RESEND_MS
    },
    /** After a long gap a check has news until all vehicles were listed. */
    recordCheck(key: string, now: Date, hasNews: boolean) {
      if (!hasNews || gapMs(polled.get(key), now) <= MAX_GAP_MS) polled.set(key, now)
    },
    recordList(key: string, now: Date) {
      polled.set(key, now)
      listed.set(key, now)
    },
  }
}
