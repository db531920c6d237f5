import { type RateClass, rateClasses } from '@rogatka/contract/endpoint.ts'
import type { FastifyRequest } from 'fastify'
import { clientKey, createRateLimiter } from './rate-limit.ts'
import { Refusal } from './refusal.ts'

/** Counts a call of a class. @throws when its caller was here too often */
export type RateCounter = (rate: RateClass, request: FastifyRequest) => void

/** Counts the calls of each class in this process: by user where one is known, else by address. */
export function createRateCounter(): RateCounter {
  const limits = new Map(Object.entries(rateClasses).map(([rate, often]) => [rate, createRateLimiter(often)]))

  return (rate, { caller, ip }) => {
    const who = caller?.session ? `user ${caller.session.userId}` : clientKey(ip)
    const standing = limits.get(rate)?.(who, performance.now())
    if (standing?.isExceeded) throw new Refusal('too-many-requests', 429, null, standing.secondsLeft)
  }
}
