import type { BrokenLink } from './verify-log.ts'
import type { BrokenPassage } from './verify-passages.ts'

/** Where and why a chain does not hold. */
export function describeLink({ seq, id, at, fault }: BrokenLink): string {
  const link = seq === null ? '' : `link ${seq}, `
  return `${link}line ${id} of ${at.toISOString()}: ${fault}`
}

/** Where and why the seals of a station do not hold. */
export function describePassage({ locationId, minute, number, item, fault }: BrokenPassage): string {
  const seal = number === null ? '' : `, seal ${number}`
  const subject = item ? `, ${item.type ?? 'vehicle'} ${item.id} of ${item.createdAt.toISOString()}` : ''
  return `station ${locationId}, minute ${minute.toISOString()}${seal}${subject}: ${fault}`
}
