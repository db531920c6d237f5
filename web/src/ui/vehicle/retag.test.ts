import { expect, test } from 'vitest'
import { retag } from './retag.ts'

test('tags only the vehicle with the same time if two share an id', () => {
  const tags = [{ id: 3, private: true, type: 1, data: null, description: null }]
  const before = { id: 7, createdAt: '2026-10-20T08:00:00.000Z', tags: [] }
  const after = { id: 7, createdAt: '2026-10-20T09:00:00.000Z', tags: [] }
  expect([before, after].map((one) => retag(one, after, tags))).toEqual([before, { ...after, tags }])
})
