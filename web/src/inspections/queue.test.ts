import type { WireInspection } from '@rogatka/contract/inspections.ts'
import { expect, test } from 'vitest'
import { keepOrder, orderQueue, timesOf } from './queue.ts'
import { countQueue } from './queueTimes.ts'

const NOW = Date.parse('2026-10-20T08:16:00Z')
const ME = 7

let ids = 0
const inspection = (
  state: WireInspection['state'],
  { officer, checkpoint, takenOver }: { officer?: number; checkpoint?: string; takenOver?: string } = {},
) =>
  ({
    id: ++ids,
    state,
    officer: officer === undefined ? null : { id: officer, username: 'o' },
    announced: { at: '2026-10-20T08:10:00Z', by: { id: 1, username: 'a' } },
    takenOverAt: takenOver ?? null,
    wim: checkpoint ? { checkpointTime: checkpoint } : null,
  }) as WireInspection

test('the queue has own inspections first, then by time to the checkpoint, others, and passed ones last', () => {
  const passedLong = inspection('announced', { checkpoint: '2026-10-20T08:12:00Z' })
  const passed = inspection('announced', { checkpoint: '2026-10-20T08:15:18Z' })
  const later = inspection('announced', { checkpoint: '2026-10-20T08:19:38Z' })
  const sooner = inspection('announced', { checkpoint: '2026-10-20T08:16:09Z' })
  const ofOther = inspection('takenOver', { officer: 9, takenOver: '2026-10-20T08:11:00Z' })
  const mine = inspection('weighed', { officer: ME, takenOver: '2026-10-20T08:12:00Z' })
  const all = [passedLong, passed, later, sooner, ofOther, mine]
  const ordered = orderQueue(all, ME, NOW)
  expect(ordered).toEqual([mine, sooner, later, ofOther, passed, passedLong])
  expect(countQueue(timesOf(all), NOW)).toEqual({ coming: 2, taken: 2 })
  // Two pass the checkpoint while nothing is loaded.
  const later4 = NOW + 240_000
  expect(countQueue(timesOf(all), later4)).toEqual({ coming: 0, taken: 2 })

  const fresh = inspection('announced', { checkpoint: '2026-10-20T08:16:01Z' })
  const shown = ordered.map(({ id }) => id)
  expect(keepOrder(shown, orderQueue([...all.slice(1), fresh], ME, NOW))).toEqual([
    mine,
    sooner,
    later,
    ofOther,
    passed,
    fresh,
  ])
})
