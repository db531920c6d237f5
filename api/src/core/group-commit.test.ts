import { expect, test } from 'vitest'
import { createGroupCommit } from './group-commit.ts'

/** A writer whose transactions end when the test says so. */
function controlledWriter() {
  const groups: { items: number[]; commit: () => void; fail: (error: Error) => void }[] = []
  const write = (items: readonly number[]) =>
    new Promise<readonly string[]>((resolve, reject) => {
      groups.push({ items: [...items], commit: () => resolve(items.map((item) => `stored ${item}`)), fail: reject })
    })
  const store = createGroupCommit({ write, sizeOf: (item: number) => item, maxSize: 10 })
  const settled = (item: number) => store(item).catch((error: Error) => error.message)
  /** Ends the next transactions one after the other: commits them, or fails them with this code. */
  let ended = 0
  const end = async (...ends: ('commit' | { code: string })[]) => {
    for (const how of ends) {
      await soon()
      const group = groups[ended++]
      if (how === 'commit') group?.commit()
      else group?.fail(withCode(how.code))
    }
    await soon()
  }
  return { groups, settled, end }
}
const withCode = (code: string) => Object.assign(new Error(code), { code })
const soon = () => new Promise((resolve) => setImmediate(resolve))
const REFUSED = { code: '23502' }

test('items that arrive during a transaction are the next group, up to its size, in order', async () => {
  const { groups, settled } = controlledWriter()
  const results = [1, 4, 5, 2, 12, 3].map(settled)
  for (let group = 0; group < 5; group++) {
    await soon()
    groups[group]?.commit()
  }
  expect(await Promise.all(results)).toEqual([1, 4, 5, 2, 12, 3].map((item) => `stored ${item}`))
  expect(groups.map(({ items }) => items)).toEqual([[1], [4, 5], [2], [12], [3]])
})

test('each item of a failed group is written on its own', async () => {
  const { groups, settled, end } = controlledWriter()
  const results = [1, 2, 3].map(settled)
  await end('commit', REFUSED, REFUSED, 'commit')
  expect(await Promise.all(results)).toEqual(['stored 1', '23502', 'stored 3'])
  expect(groups.map(({ items }) => items)).toEqual([[1], [2, 3], [2], [3]])
})

test('a lost connection fails its group; the next one is written', async () => {
  const { groups, settled } = controlledWriter()
  const results = [1, 6, 5].map(settled)
  groups[0]?.fail(withCode('CONNECTION_LOST'))
  await soon()
  groups[1]?.fail(withCode('57P01'))
  await soon()
  groups[2]?.commit()
  expect(await Promise.all(results)).toEqual(['CONNECTION_LOST', '57P01', 'stored 5'])
})

test('a transaction without a response fails all that wait, and later items are written', async () => {
  const { groups, settled } = controlledWriter()
  const results = [1, 6, 5].map(settled)
  groups[0]?.fail(withCode('CONNECTION_TIMEOUT'))
  expect(await Promise.all(results)).toEqual(Array(3).fill('CONNECTION_TIMEOUT'))
  const later = settled(7)
  await soon()
  groups[1]?.commit()
  expect(await later).toBe('stored 7')
  expect(groups.map(({ items }) => items)).toEqual([[1], [7]])
})

test('a transaction without a response fails the rest of a failed group, and all that wait', async () => {
  const { groups, settled, end } = controlledWriter()
  const results = [1, 2, 3, 4].map(settled)
  await end('commit', REFUSED, 'commit')
  results.push(settled(5))
  await end({ code: '57014' })
  expect(await Promise.all(results)).toEqual(['stored 1', 'stored 2', '57014', '57014', '57014'])
  expect(groups.map(({ items }) => items)).toEqual([[1], [2, 3, 4], [2], [3]])
})

test('items that arrive while those of a failed group are written on their own are a group after them', async () => {
  const { groups, settled, end } = controlledWriter()
  const results = [1, 2, 3].map(settled)
  await end('commit', REFUSED)
  results.push(settled(4), settled(5))
  await end('commit', 'commit', 'commit')
  expect(await Promise.all(results)).toEqual([1, 2, 3, 4, 5].map((item) => `stored ${item}`))
  expect(groups.map(({ items }) => items)).toEqual([[1], [2, 3], [2], [3], [4, 5]])
})
