import { expect, test } from 'vitest'
import { fateOf } from './fate.ts'

const NOW = new Date('2026-10-20T08:00:00Z')
const message = { createdAt: new Date('2026-10-20T07:00:00Z'), sentAt: null, notBefore: null, attempts: 0 }

test.each([
  ['sent', { sentAt: NOW, attempts: 2 }, true],
  ['sent', { sentAt: NOW }, false],
  ['unavailable', { attempts: 3 }, false],
  ['quiet', { notBefore: new Date('2026-10-20T08:00:01Z') }, true],
  ['waiting', { notBefore: NOW }, true],
  ['waiting', {}, true],
  ['retrying', { attempts: 1 }, true],
  ['retrying', { attempts: 9, createdAt: new Date('2026-10-17T08:00:01Z') }, true],
  ['failed', { attempts: 9, createdAt: new Date('2026-10-17T08:00:00Z') }, true],
] as const)('a message is %s: %o', (fate, more, canSend) => {
  expect(fateOf({ ...message, ...more }, canSend, NOW)).toBe(fate)
})
