import { type RateClass, rateClasses } from '@rogatka/contract/endpoint.ts'
import type { FastifyRequest } from 'fastify'
import { createLimit, holderOf } from './limit.ts'
import { Refusal } from './refusal.ts'

/** Counts a call of a class. @throws when its caller was here too often */
export type Rates = (rate: RateClass, request: FastifyRequest) => void

/** Counts the calls of each class in this process: by user where one is known, else by address. */
export function createRates(): Rates {
  const limits = new Map(Object.entries(rateClasses).map(([rate, often]) => [rate, createLimit(often)]))

  return (rate, { caller, ip }) => {
    const who = caller?.session ? `user ${caller.session.userId}` : holderOf(ip)
    const standing = limits.get(rate)?.(who, performance.now())
    if (standing?.isExceeded) throw new Refusal('too-many-requests', 429, null, standing.secondsLeft)
  }
}
