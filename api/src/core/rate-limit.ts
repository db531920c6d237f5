/** The state of a key after this request. */
type RateLimitState = { isExceeded: boolean; secondsLeft: number }

/**
 * Fixed-window rate limiter per process: `max` requests per key in `seconds`. The window is the same for all keys, so
 * that it is cleared at once. `now` in ms of a monotonic clock.
 */
export function createRateLimiter({ max, seconds }: { max: number; seconds: number }) {
  const counts = new Map<string, number>()
  let end = Number.NEGATIVE_INFINITY
  return (key: string, now: number): RateLimitState => {
    if (now >= end) {
      counts.clear()
      end = now + seconds * 1000
    }
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return {
      isExceeded: count > max,
      // The sum above may be rounded up.
      secondsLeft: Math.min(seconds, Math.ceil((end - now) / 1000)),
    }
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
