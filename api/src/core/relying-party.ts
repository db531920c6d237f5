import { isIP } from 'node:net'
import type { Config } from '../config.ts'

/** The name for which keys are made, and the address of the pages that may use them. */
export type RelyingParty = { id: string; origin: string }

/**
 * The portal as authenticators know it. Null if browsers have no passkeys for its address (an IP address, or without TLS), or
 * if it cannot keep the recovery codes that belong to them.
 */
export function relyingParty({ publicUrl, secretKey }: Pick<Config, 'publicUrl' | 'secretKey'>): RelyingParty | null {
  const { hostname, protocol, origin } = new URL(publicUrl)
  const isSecure = protocol === 'https:' || hostname === 'localhost'
  const isAddress = hostname.startsWith('[') || isIP(hostname) !== 0
  return secretKey && isSecure && !isAddress ? { id: hostname, origin } : null
}
