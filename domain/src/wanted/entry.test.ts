import { expect, test } from 'vitest'
import { contactError, listedPlate, plateError } from './entry.ts'

test.each([
  ['wpr 8k-47m', 'WPR8K47M'],
  ['dö 12', 'DÖ12'],
  ['WX*', null],
  [' - ', null],
])('%s is listed as %s', (text, plate) => expect(listedPlate(text)).toBe(plate))

test.each([
  ['WX 1', 'x', null],
  ['  ', 'x', 'required-parameter-missing'],
  ['WX;1', 'x', 'incorrect-plate'],
  ['W'.repeat(21), 'x', 'text-too-long'],
  [` ${'W'.repeat(20)} `, 'x', null],
  ['WX1', ' ', 'required-parameter-missing'],
  ['WX1', 'x'.repeat(101), 'text-too-long'],
  ['WX1', ` ${'x'.repeat(100)} `, null],
])('plate %s described as %s: %s', (plate, description, fault) => {
  expect(plateError({ plate, description })).toBe(fault)
})

test.each([
  ['a@example.org', 0, 'x', null],
  ['a@', 0, 'x', 'incorrect-email-address'],
  ['+48 600-100-200', 1, 'x', null],
  ['a@example.org', 1, 'x', 'incorrect-phone-number'],
  ['', 1, 'x', 'required-parameter-missing'],
  [' ', 0, 'x', 'required-parameter-missing'],
  [' a@example.org ', 0, 'x', null],
  ['600100200', 1, '', 'required-parameter-missing'],
] as const)('contact %s of type %s described as %s: %s', (contact, type, description, fault) => {
  expect(contactError(contact, type, description)).toBe(fault)
})
