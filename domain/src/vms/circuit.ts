import type { Circuit } from '@rogatka/contract/vms.ts'

/** So many failures in a row open the circuit: the sign is then left alone but for a try now and then. */
export const FAILURES_TO_OPEN = 3
/** Between two tries of a sign that does not answer. Short enough that a sign that is back shows within 10 s. */
export const RETRY_MS = 5_000

export type Breaker = { circuit: Circuit; failures: number; tryAt: Date | null }

export const CLOSED: Breaker = { circuit: 'closed', failures: 0, tryAt: null }

/** After an answer, whatever it says: the line works. */
export const onAnswer = (): Breaker => CLOSED

/** After no answer. */
export function onNoAnswer({ circuit, failures }: Breaker, now: Date, retryMs = RETRY_MS): Breaker {
  const count = failures + 1
  return circuit !== 'closed' || count >= FAILURES_TO_OPEN
    ? { circuit: 'open', failures: count, tryAt: new Date(now.getTime() + retryMs) }
    : { circuit: 'closed', failures: count, tryAt: null }
}

/** Before asking: half-open when it is time to try again; undefined while the sign is left alone. */
export function nextAttempt(breaker: Breaker, now: Date): Breaker | undefined {
  if (breaker.circuit === 'closed') return breaker
  return breaker.tryAt && breaker.tryAt <= now ? { ...breaker, circuit: 'half-open' } : undefined
}
