import { type Rate, rates } from '@rogatka/contract/endpoint.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from './refusal.ts'

/** Counts a call of a class. @throws when its caller was here too often */
export type Rates = (rate: Rate, request: FastifyRequest) => Promise<void>

/** Counts the calls of each class in this process: by user where one is known, else by address. */
export function createRates(http: FastifyInstance): Rates {
  const limiterOf = ({ max, seconds }: (typeof rates)[Rate]) =>
    http.createRateLimit({
      max,
      timeWindow: seconds * 1000,
      keyGenerator: ({ caller, ip }) => (caller?.session ? `user ${caller.session.userId}` : ip),
    })
  const limiters = Object.fromEntries(Object.entries(rates).map(([rate, limits]) => [rate, limiterOf(limits)]))

  return async (rate, request) => {
    const limit = await limiters[rate]?.(request)
    if (limit && !limit.isAllowed && limit.isExceeded)
      throw new Refusal('too-many-requests', 429, null, Math.max(1, limit.ttlInSeconds))
  }
}
