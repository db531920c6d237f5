import { isIP, SocketAddress } from 'node:net'

/**
 * The addresses of an X-Forwarded-For header in canonical form, without ports. An invalid entry ends the list from the
 * right: entries left of it are not trustworthy.
 */
export function forwardedAddresses(header: string): string[] {
  const addresses: string[] = []
  for (const text of header.split(',').toReversed()) {
    const address = canonicalAddress(text.trim())
    if (address === null) break
    addresses.unshift(address)
  }
  return addresses
}

/** Null if invalid. IPv4-mapped IPv6 becomes IPv4. */
function canonicalAddress(text: string): string | null {
  const bare = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text
  if (isIP(bare) === 4) return bare
  if (isIP(bare) !== 6 || bare.includes('%')) return null
  const { address } = new SocketAddress({ address: bare, family: 'ipv6' })
  return /^::ffff:([\d.]+)$/.exec(address)?.[1] ?? address
}
