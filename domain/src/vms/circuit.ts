import type { Circuit } from '@rogatka/contract/vms.ts'

/** This many consecutive failures open the circuit: the sign is then only tried periodically. */
export const FAILURES_TO_OPEN = 3
/** Interval of tries while open; short enough that a sign that is back shows within 10 s. */
export const RETRY_MS = 5_000

export type Breaker = { circuit: Circuit; failures: number; tryAt: Date | null }

export const CLOSED: Breaker = { circuit: 'closed', failures: 0, tryAt: null }

/** After any response: the connection works. */
export const onAnswer = (): Breaker => CLOSED

/** After a request without a response. */
export function onNoAnswer({ failures }: Breaker, now: Date, retryMs = RETRY_MS): Breaker {
  const count = failures + 1
  return count >= FAILURES_TO_OPEN
    ? { circuit: 'open', failures: count, tryAt: new Date(now.getTime() + retryMs) }
    : { circuit: 'closed', failures: count, tryAt: null }
}

/** Before a request: half-open if a try is due; undefined if no request may be sent. */
export function nextAttempt(breaker: Breaker, now: Date): Breaker | undefined {
  if (breaker.circuit === 'closed') return breaker
  return breaker.tryAt && breaker.tryAt <= now ? { ...breaker, circuit: 'half-open' } : undefined
}
