import { BlockList, isIP } from 'node:net'

/** Networks that are not public (IANA special-purpose registries), multicast and reserved ones. */
const SPECIAL_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]
/** Global unicast; all other addresses are refused, also translated ones (64:ff9b::/96). */
const PUBLIC_V6 = ['2000::/3']
/** Not public within these: Teredo and other protocol assignments, documentation, and 6to4, which contains an IPv4 address. */
const SPECIAL_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

/** IPv4-mapped IPv6, in any notation. */
const MAPPED = '::ffff:0:0/96'

function networks(list: readonly string[]): BlockList {
  const blocks = new BlockList()
  for (const network of list) {
    const [address = '', prefix] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    blocks.addSubnet(address, prefix === undefined ? (family === 'ipv6' ? 128 : 32) : Number(prefix), family)
  }
  return blocks
}

const [specialV4, publicV6, specialV6, mapped] = [SPECIAL_V4, PUBLIC_V6, SPECIAL_V6, [MAPPED]].map(networks) as [
  BlockList,
  BlockList,
  BlockList,
  BlockList,
]

/** Whether an address is on the public internet. An IPv4-mapped one is refused: DNS has A records for IPv4. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address)
  if (version === 4) return !specialV4.check(address, 'ipv4')
  if (version !== 6 || mapped.check(address, 'ipv6')) return false
  return publicV6.check(address, 'ipv6') && !specialV6.check(address, 'ipv6')
}

/** Whether webhooks may connect to an address: to a public one, or to those that `allowed` names. */
export function createAddressCheck(allowed: readonly string[]): (address: string) => boolean {
  const allowList = networks(allowed)
  return (address) => {
    const version = isIP(address)
    if (version === 0) return false
    // BlockList matches IPv4-mapped addresses against IPv4 networks: an allowed network would let them pass.
    const isMapped = version === 6 && mapped.check(address, 'ipv6')
    return isPublicAddress(address) || (!isMapped && allowList.check(address, version === 6 ? 'ipv6' : 'ipv4'))
  }
}
