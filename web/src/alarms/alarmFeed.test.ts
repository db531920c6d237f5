import type { WireAlarmList } from '@rogatka/contract/alarms.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '../core/queryClient.ts'
import { ALARM_LIST, keepAlarms, readAlarms } from './alarmFeed.ts'

const { signal } = new AbortController()
const page = (version: string) => ({ version, content: [] as unknown }) as WireAlarmList
const known = () => queryClient.getQueryData<WireAlarmList>(ALARM_LIST)?.version

/** Resolves the pending responses of the server to a check and to a list. */
let answers: { check: PromiseWithResolvers<unknown>; list: PromiseWithResolvers<unknown> }

beforeEach(() => {
  answers = { check: Promise.withResolvers(), list: Promise.withResolvers() }
  vi.stubGlobal('fetch', async (url: string) =>
    Response.json(await (url.includes('/check') ? answers.check : answers.list).promise),
  )
})
afterEach(() => {
  queryClient.clear()
  vi.unstubAllGlobals()
})

test('a list that another tab asked for later is not replaced by one that arrives late', async () => {
  answers.list.resolve(page('first'))
  expect(await readAlarms(signal, 1_000)).toMatchObject({ version: 'first' })
  const unchanged = readAlarms(signal, 2_000)
  keepAlarms(page('second'), 2_500)
  answers.check.resolve({ refresh: false })
  expect(await unchanged).toMatchObject({ version: 'second' })

  answers = { check: Promise.withResolvers(), list: Promise.withResolvers() }
  const late = readAlarms(signal, 3_000)
  keepAlarms(page('third'), 3_500)
  answers.check.resolve({ refresh: true })
  answers.list.resolve(page('late'))
  expect(await late).toMatchObject({ version: 'third' })
  expect(known()).toBe('third')
})

test('a clock that was set back does not hold the list', () => {
  keepAlarms(page('before'), 100_000)
  expect(keepAlarms(page('after'), 40_000)).toMatchObject({ version: 'after' })
  expect(known()).toBe('after')
})
