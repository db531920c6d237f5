import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { decrypt, encrypt } from './secrets.ts'

const key = randomBytes(32)

test('decrypts its ciphertext, which differs each time', () => {
  const [one, two] = [encrypt(key, 'zażółć', 'user 7'), encrypt(key, 'zażółć', 'user 7')]
  expect(decrypt(key, one, 'user 7')).toBe('zażółć')
  expect(one.equals(two)).toBe(false)
  expect(one.includes(Buffer.from('zażółć'))).toBe(false)
})

test('returns null for another key, another row, or a changed bit', () => {
  const secret = encrypt(key, 'abc', 'user 7')
  expect(decrypt(randomBytes(32), secret, 'user 7')).toBeNull()
  expect(decrypt(key, secret, 'user 8')).toBeNull()
  const bent = Buffer.from(secret)
  bent[bent.length - 1] = (bent.at(-1) ?? 0) ^ 1
  expect(decrypt(key, bent, 'user 7')).toBeNull()
  expect(decrypt(key, Buffer.alloc(5), 'user 7')).toBeNull()
})
