import { expect, test } from 'vitest'
import { matchShortcut, nameOf, type Shortcut, startsSequence } from './shortcuts.ts'

const pressed = (key: string, more: Partial<KeyboardEvent> = {}) =>
  nameOf({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more })

test.each([
  ['m', {}, 'm'],
  ['W', { shiftKey: true }, 'Shift+W'],
  ['?', { shiftKey: true }, '?'],
  ['Enter', { ctrlKey: true }, 'Ctrl+Enter'],
  ['Enter', { metaKey: true }, 'Ctrl+Enter'],
  ['ArrowDown', {}, 'ArrowDown'],
  ['F2', {}, 'F2'],
  ['Tab', { shiftKey: true }, 'Shift+Tab'],
  ['M', {}, 'm'],
])('%s with %j is called %s', (key, more, name) => {
  expect(pressed(key, more)).toBe(name)
})

test('ignores keys pressed with Alt', () => {
  expect(pressed('ą', { altKey: true })).toBeNull()
})

const key = (name: string): Shortcut => ({ key: name, label: name, run: () => undefined })

test('the latest shortcut registration wins', () => {
  const [frame, page] = [key('m'), key('m')]
  expect(matchShortcut([frame, page], 'm', null)).toBe(page)
})

test('two letters in sequence are one shortcut, the second alone is another', () => {
  const [sequence, alone] = [key('g b'), key('b')]
  expect(matchShortcut([sequence, alone], 'b', 'g')).toBe(sequence)
  expect(matchShortcut([sequence, alone], 'b', 'x')).toBe(alone)
  expect(matchShortcut([sequence], 'b', null)).toBeUndefined()
  expect(startsSequence([sequence], 'g')).toBe(true)
  expect(startsSequence([sequence], 'b')).toBe(false)
})
