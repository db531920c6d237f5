/** How a caller stands after this call. */
type Standing = { isExceeded: boolean; remaining: number; secondsLeft: number }

/**
 * Counts calls by caller in this process, `max` in so many seconds. The seconds begin anew for all callers at once, so
 * that nothing has to be cleared caller by caller. `now` in milliseconds of any clock that never goes back.
 */
export function createRateLimiter({ max, seconds }: { max: number; seconds: number }) {
  const counts = new Map<string, number>()
  let end = Number.NEGATIVE_INFINITY
  return (caller: string, now: number): Standing => {
    if (now >= end) {
      counts.clear()
      end = now + seconds * 1000
    }
    const count = (counts.get(caller) ?? 0) + 1
    counts.set(caller, count)
    return {
      isExceeded: count > max,
      remaining: Math.max(0, max - count),
      // The sum above may round up by a hair.
      secondsLeft: Math.min(seconds, Math.ceil((end - now) / 1000)),
    }
  }
}

/** By whom an address counts: whoever has one of IPv6 has all that begin with the same 64 bits. */
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
