import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { csv, dataCsv } from './csv.ts'
import { type DataColumn, inOneBatch } from './table.ts'
import { collectBytes } from './testing.ts'
import { xlsx } from './xlsx.ts'

/** Rows formatted since other work ran. */
let formatted = 0
const value = () => {
  formatted += 1
  return 'x'.repeat(100)
}
const columns: DataColumn<number>[] = [{ name: 'text', title: 'Text', width: 10, value }]
const about = { sheet: 'O', title: 'T', lines: [], by: 'a', at: new Date('2026-10-20T08:00:00Z') }
const WRITERS = {
  csv: (rows: number[]) => csv(columns, inOneBatch(rows), 'pl'),
  'csv for programs': (rows: number[]) => dataCsv(columns, inOneBatch(rows)),
  xlsx: (rows: number[]) => xlsx({ about, sheet: 'A', columns, rows: inOneBatch(rows) }),
}

test.each(Object.entries(WRITERS))('lets other work run while a long batch is written as %s', async (_, write) => {
  // Every look at the clock says that the time is up.
  let clock = 0
  vi.spyOn(performance, 'now').mockImplementation(() => (clock += 10))
  onTestFinished(() => void vi.restoreAllMocks())
  let isWriting = true
  let longest = 0
  const writing = collectBytes(write(Array.from({ length: 5_000 }, (_, row) => row))).finally(() => {
    isWriting = false
  })
  while (isWriting) {
    await setImmediate()
    longest = Math.max(longest, formatted)
    formatted = 0
  }
  await writing
  // 64 KB have fewer than 656 rows of 100 characters.
  expect(longest).toBeLessThan(700)
})
