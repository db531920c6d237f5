import type { WireSign, WireSignGroup } from '@rogatka/contract/vms.ts'
import { expect, test } from 'vitest'
import {
  enabledCount,
  isDeviating,
  markOf,
  selectedVariantOf,
  signsWithoutContent,
  withGroup,
  worstMark,
} from './signs.ts'

const sign = (id: number, vmsStatus: Partial<WireSign['vmsStatus']> = {}, variants: number[] = [1]): WireSign => ({
  id,
  number: id,
  vms: { roadNumber: 'S8', chainage: '512+150', ip: '10.40.8.21' },
  vmsStatus: {
    status: 'OK',
    available: true,
    contentDisplayed: false,
    condition: 'ok',
    faults: [],
    controlMode: 'central',
    circuit: 'closed',
    checkedAt: null,
    answeredAt: null,
    ...vmsStatus,
  },
  contentVariants: variants.map((variant) => ({ variant, content: { id: 10 + variant } })),
  image: null,
  selectedContent: null,
  shows: null,
  enabled: null,
  showsPlates: false,
  plate: null,
  busy: false,
  asOrdered: true,
})

const lit = { contentDisplayed: true }
const malfunction = { condition: 'malfunction', contentDisplayed: true } as const
const offline = { condition: 'unavailable', available: false, contentDisplayed: null } as const

const group = (id: number, description: string): WireSignGroup => ({
  group: { id, description, location: { id: 7, shortName: 'S8 Wyszków' } },
  variants: [
    { variant: 1, description: 'kontrola', complete: true },
    { variant: 2, description: 'wygaszenie', complete: true },
  ],
  selectedVariant: 1,
  enabledVariant: null,
  manageable: true,
  vms: [],
})

test('malfunction and unavailable take precedence over enabled', () => {
  expect(markOf(sign(1))).toBe('available')
  expect(markOf(sign(1, lit))).toBe('enabled')
  expect(markOf(sign(1, malfunction))).toBe('malfunction')
  expect(markOf(sign(1, offline))).toBe('unavailable')
})

test('marks a station by its worst sign', () => {
  expect(worstMark([sign(1), sign(2, lit)])).toBe('enabled')
  expect(worstMark([sign(1, lit), sign(2, offline), sign(3)])).toBe('unavailable')
  expect(worstMark([sign(1, offline), sign(2, malfunction)])).toBe('malfunction')
  expect(worstMark([])).toBeNull()
})

test('does not count signs of unknown state as enabled', () => {
  expect(enabledCount([sign(1, lit), sign(2, offline), sign(3), sign(4, malfunction)])).toBe(2)
})

test('keeps the selected variant until the group no longer has it', () => {
  expect(selectedVariantOf(group(1, 'A'), null)).toBe(1)
  expect(selectedVariantOf({ ...group(1, 'A'), selectedVariant: 1 }, 2)).toBe(2)
  expect(selectedVariantOf({ variants: [], selectedVariant: null }, 2)).toBeNull()
})

test('names signs without content in a variant', () => {
  expect(signsWithoutContent([sign(1), sign(2, {}, [1, 2]), sign(3, {}, [])], 2)).toEqual([1, 3])
})

test('replaces only the same group by its newer state', () => {
  expect(withGroup([group(1, 'A'), group(2, 'B')], group(2, 'B2'))).toEqual([group(1, 'A'), group(2, 'B2')])
})

test('marks a sign only if it shows other than the last command', () => {
  expect([true, false, null].map((asOrdered) => isDeviating({ ...sign(1), asOrdered }))).toEqual([false, true, false])
})
