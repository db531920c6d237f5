import { type RateClass, rateClasses } from '@rogatka/contract/endpoint.ts'
import type { FastifyRequest } from 'fastify'
import { clientKey, type RateLimits } from './rate-limit.ts'
import { Refusal } from './refusal.ts'

/** Counts a request of a rate class. @throws 429 above its limit */
export type RateCounter = (rate: RateClass, request: FastifyRequest) => void

/** Counts requests per class: by user in a session, else by address. */
export function createRateCounter(limits: RateLimits): RateCounter {
  const limiters = new Map(Object.entries(rateClasses).map(([rate, limit]) => [rate, limits.limiter(rate, limit)]))

  return (rate, { caller, ip }) => {
    const key = caller?.session ? `user ${caller.session.userId}` : clientKey(ip)
    const state = limiters.get(rate)?.(key)
    if (state?.isExceeded) throw new Refusal('too-many-requests', 429, null, state.secondsLeft)
  }
}
