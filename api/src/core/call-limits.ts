import type { Config } from '../config.ts'
import type { KnownTokens } from './known-tokens.ts'
import { clientKey, type RateLimits } from './rate-limit.ts'

/**
 * Counts a call of an address, with the token that it has, by HTTP or MQTT. Returns null if it is within the limits, else
 * the seconds until it may be tried again.
 */
export type CallLimits = (ip: string, token: string | undefined) => number | null

/** The limits of calls per minute: of a known token, of an address without one, and of an address in all. */
export function createCallLimits(
  limits: RateLimits,
  { requestsPerMinute, addressRequestsPerMinute }: Pick<Config, 'requestsPerMinute' | 'addressRequestsPerMinute'>,
  knownTokens: KnownTokens,
): CallLimits {
  const limitCaller = limits.limiter('requests', { max: requestsPerMinute, seconds: 60 })
  const limitAddress = limits.limiter('address', { max: addressRequestsPerMinute, seconds: 60 })
  const limitLookups = limits.limiter('lookups', { max: Math.ceil(requestsPerMinute / 10), seconds: 60 })

  return (ip, token) => {
    const address = clientKey(ip)
    const ofAddress = limitAddress(address)
    const known = knownTokens.callerOf(token)
    const { isExceeded, secondsLeft } = ofAddress.isExceeded ? ofAddress : limitCaller(known ?? address)
    // A valid token that this process has not seen yet is looked up also where neighbours have used up the limit.
    const isLookedUp =
      isExceeded && !ofAddress.isExceeded && !known && token !== undefined && !limitLookups(address).isExceeded
    return isExceeded && !isLookedUp ? secondsLeft : null
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    callLimits: CallLimits
  }
}
