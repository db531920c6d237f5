import { isIP, SocketAddress } from 'node:net'

/**
 * The addresses of an X-Forwarded-For header in their canonical form, without ports. What is no address says nothing of
 * who called, and nor does what stands left of it: then the caller is whoever passed it on.
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

/** Null: not an address. An IPv4 address within IPv6 becomes the IPv4 one. */
function canonicalAddress(text: string): string | null {
  const bare = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text
  if (isIP(bare) === 4) return bare
  if (isIP(bare) !== 6 || bare.includes('%')) return null
  const { address } = new SocketAddress({ address: bare, family: 'ipv6' })
  return /^::ffff:([\d.]+)$/.exec(address)?.[1] ?? address
}
