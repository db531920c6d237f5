import { networkInterfaces } from 'node:os'

/** Another address of this machine than 127.0.0.1: Linux has further loopback addresses. */
export function otherOwnAddress(): string {
  if (process.platform === 'linux') return '127.0.0.2'
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.2'
}
