import { expect, test } from 'vitest'
import { markerIn, serviceTypeOf, statusOfService, titleWithMarker } from './service.ts'

test.each([
  ['new', false, 'open'],
  ['open', false, 'open'],
  ['open', true, 'in_progress'],
  ['pending reminder', false, 'in_progress'],
  ['pending action', true, 'in_progress'],
  ['closed', false, 'closed'],
  ['closed', true, 'closed'],
  ['merged', true, 'closed'],
  ['removed', false, 'closed'],
  ['not closed', false, 'open'],
  ['no longer pending', false, 'open'],
] as const)('%s, with an owner: %s, is %s', (type, hasOwner, status) => {
  expect(statusOfService({ type, hasOwner })).toBe(status)
})

test('maps a new ticket only once', () => {
  expect([serviceTypeOf('open', true), serviceTypeOf('open', false)]).toEqual(['new', 'open'])
  expect([serviceTypeOf('in_progress', true), serviceTypeOf('closed', true)]).toEqual(['open', 'closed'])
})

test('cuts a title before its marker', () => {
  expect(titleWithMarker('x'.repeat(201), '0123456789ab')).toBe(`${'x'.repeat(200)} [WIM-0123456789ab]`)
})

test('finds the marker only in a title that has it', () => {
  expect(markerIn(titleWithMarker('Brak zdjęć [pilne]', '0123456789ab'))).toBe('0123456789ab')
  expect(markerIn('Brak zdjęć [WIM-0123]')).toBeNull()
})
