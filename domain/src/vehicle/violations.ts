import { type Violation, violations } from '@rogatka/contract/vehicle.ts'

type Flags = { [V in Violation]?: boolean | null | undefined }

/** Violations as bits in the contract's order: overload 1, overheight 2, overspeed 4, overlane 8, wrongDirection 16. */
export const toBits = (flags: Flags): number =>
  violations.reduce((bits, violation, index) => (flags[violation] ? bits | (1 << index) : bits), 0)

/** The five flags of a bit set. */
export const fromBits = (bits: number): Record<Violation, boolean> => ({
  overload: has(bits, 'overload'),
  overheight: has(bits, 'overheight'),
  overspeed: has(bits, 'overspeed'),
  overlane: has(bits, 'overlane'),
  wrongDirection: has(bits, 'wrongDirection'),
})

const has = (bits: number, violation: Violation): boolean => (bits & (1 << violations.indexOf(violation))) !== 0

/** Bits of a filter; a vehicle matches if it has any of them. 0: no filter. */
export const bitsOf = (filters: Flags): number => toBits(filters)
