import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { expect, test } from 'vitest'
import { type Picks, pick } from './historyPicks.ts'

const detection = (id: number) => ({ id, createdAt: '2026-10-20T06:15:24.000Z' }) as WireVehicle

test.each<[string, number[], [a: number | undefined, b: number | undefined]]>([
  ['the first is A', [1], [1, undefined]],
  ['the second is B', [1, 2], [1, 2]],
  ['a third replaces B', [1, 2, 3], [1, 3]],
  ['one that is picked again is removed', [1, 2, 2], [1, undefined]],
  ['without A, the next is A', [1, 2, 1, 3], [3, 2]],
])('%s', (_name, ids, [a, b]) => {
  const picks = ids.reduce<Picks>((before, id) => pick(before, detection(id)), {})
  expect([picks.A?.id, picks.B?.id]).toEqual([a, b])
})
