import { type AlarmKind, alarmKinds } from '@rogatka/contract/alarms.ts'
import type { Vehicle } from '@rogatka/contract/vehicle.ts'
import { expect, test } from 'vitest'
import { alarmFigures, mostFrequent, quantile } from './figures.ts'
import { isFlood, isSilent, raisedLately } from './flood.ts'
import { alarmRules } from './kinds.ts'
import { alarmRows } from './rows.ts'
import { alarmState, compareAlarms, shelfError } from './state.ts'
import { vehicleAlarms } from './vehicles.ts'

const START = Date.parse('2026-10-20T08:00:00Z')
const at = (seconds: number) => new Date(START + seconds * 1000)
const minutes = (...list: number[]) => list.map((minute) => at(60 * minute))

test('kinds have the priorities of docs/domain.md', () => {
  const of = (priority: string) => alarmKinds.filter((kind) => alarmRules[kind].priority === priority)
  expect(of('high')).toEqual(['wrong-way', 'sign-not-ordered', 'sign-not-cleared'])
  expect(of('medium')).toEqual([
    'overload',
    'announced-passing',
    'overheight',
    'station-silent',
    'certificate-ended',
    'certificate-ending',
  ])
  expect(of('low')).toHaveLength(alarmKinds.length - 9)
})

test.each<[AlarmKind, number, string | null]>([
  ['wrong-way', 1, 'alarm-never-shelved'],
  ['sign-not-cleared', 60, null],
  ['sign-not-cleared', 62, 'shelf-too-long'],
  ['station-silent', 480, null],
  ['station-silent', 482, 'shelf-too-long'],
  ['disk-low', 0, 'shelf-in-the-past'],
])('shelving %s for %d min: %s', (kind, length, error) => {
  expect(shelfError(kind, at(60 * length), at(0))).toBe(error)
})

test.each([
  [{}, 'active'],
  [{ acknowledgedAt: at(1) }, 'acknowledged'],
  [{ clearedAt: at(1) }, 'cleared'],
  [{ clearedAt: at(1), shelvedUntil: at(100) }, 'shelved'],
  [{ acknowledgedAt: at(1), shelvedUntil: at(10) }, 'acknowledged'],
])('%o is %s', (values, state) => {
  expect(alarmState({ acknowledgedAt: null, clearedAt: null, shelvedUntil: null, ...values }, at(10))).toBe(state)
})

test('sorts what nobody acknowledged first, then by priority, newest first', () => {
  const list = [
    { id: 1, state: 'acknowledged', priority: 'high', raisedAt: at(9) },
    { id: 2, state: 'active', priority: 'low', raisedAt: at(8) },
    { id: 3, state: 'active', priority: 'medium', raisedAt: at(1) },
    { id: 4, state: 'cleared', priority: 'medium', raisedAt: at(2) },
    { id: 5, state: 'active', priority: 'high', raisedAt: at(0) },
  ] as const
  expect([...list].sort(compareAlarms).map(({ id }) => id)).toEqual([5, 4, 3, 2, 1])
})

test.each<[string, Date[], number, boolean]>([
  ['ten in ten minutes', minutes(0, 1, 2, 3, 4, 5, 6, 7, 8, 9), 9.5, false],
  ['eleven in ten minutes', minutes(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9.5), 9.5, true],
  ['eleven in more than ten', minutes(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10), 10, false],
  ['still five of them left', minutes(0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8), 17.9, true],
  ['fewer than five left', minutes(0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8), 10.1, false],
  [
    'a flood that ended does not begin again with five',
    minutes(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 20, 20, 20, 20, 20),
    20,
    false,
  ],
  ['none', [], 0, false],
])('%s: flood at %s min', (_, raised, minute, flood) => {
  expect(isFlood(raised, at(60 * minute))).toBe(flood)
})

test('counts the alarms of the last ten minutes', () => {
  expect(raisedLately(minutes(0, 5, 9.9, 11), at(600))).toBe(2)
})

test.each([
  ['high', false, true, false],
  ['high', true, false, true],
  ['medium', false, false, false],
  ['medium', false, true, true],
  ['low', false, false, true],
] as const)('a %s alarm, repeating %s, in a flood %s, is silent: %s', (priority, isRepeating, flood, silent) => {
  expect(isSilent({ priority, isRepeating }, flood)).toBe(silent)
})

const listed = (id: number, kind: AlarmKind, station: number, roadNumber: string) => ({
  id,
  kind,
  priority: alarmRules[kind].priority,
  location: { id: station, roadNumber },
})

test('five or more of one cause become one row: a road, a station for vehicles, the portal', () => {
  const silent = [1, 2, 3, 4, 5].map((id) => listed(id, 'station-silent', id, 'S8'))
  const other = listed(6, 'station-silent', 6, 'A2')
  expect(alarmRows([...silent, other], false).map(({ cause, alarms }) => [cause, alarms.length])).toEqual([
    [{ by: 'road', roadNumber: 'S8' }, 5],
    [null, 1],
  ])
  expect(alarmRows(silent.slice(1), false)).toHaveLength(4)
  const roads = ['A1', 'A2', 'A4', 'S7', 'S8'].map((road, id) => listed(id, 'station-silent', id, road))
  expect(alarmRows(roads, false)).toMatchObject([{ cause: { by: 'portal' }, kind: 'station-silent' }])
  const lorries = [1, 2, 3, 4, 5].map((id) => listed(id, 'wrong-way', 7, 'S8'))
  expect(alarmRows(lorries, false)).toMatchObject([{ cause: { by: 'station', locationId: 7 }, kind: 'wrong-way' }])
})

test('in a flood all but high alarms of a station become one row', () => {
  const list = [
    listed(1, 'wrong-way', 7, 'S8'),
    listed(2, 'overload', 7, 'S8'),
    listed(3, 'clock-skew', 7, 'S8'),
    listed(4, 'clock-skew', 8, 'S8'),
  ]
  expect(alarmRows(list, false)).toHaveLength(4)
  expect(alarmRows(list, true).map(({ kind, alarms }) => [kind, alarms.map(({ id }) => id)])).toEqual([
    ['wrong-way', [1]],
    [null, [2, 3]],
    ['clock-skew', [4]],
  ])
})

test('figures have windows, priorities, times to acknowledge and missed alarms of a range', () => {
  const alarm = (minute: number, seconds: number | null, priority: 'high' | 'medium' | 'low' = 'low') => ({
    priority,
    raisedAt: at(60 * minute),
    acknowledgedAt: seconds === null ? null : at(60 * minute + seconds),
    isMissed: seconds === null,
  })
  const flood = Array.from({ length: 11 }, (_, index) => alarm(10 + index / 2, null))
  const figures = alarmFigures(
    [alarm(0, 10, 'high'), alarm(1, 20, 'medium'), alarm(2, 30), alarm(3, 400), ...flood],
    at(0),
    at(3_600),
  )
  expect(figures).toEqual({
    alarms: 15,
    perTenMinutes: 2.5,
    windows: 6,
    windowsOverTen: 1,
    worstWindow: 11,
    priorities: {
      high: { alarms: 1, percent: 100 / 15 },
      medium: { alarms: 1, percent: 100 / 15 },
      low: { alarms: 13, percent: 1300 / 15 },
    },
    secondsToAcknowledge: { median: 20, p95: 400 },
    acknowledged: 4,
    missed: 11,
  })
  expect(quantile([], 0.5)).toBeNull()
  expect(alarmFigures([], at(0), at(0)).priorities.high.percent).toBeNull()
})

test('mostFrequent groups alarms by kind and station', () => {
  const of = (kind: AlarmKind, locationId: number) => ({ kind, locationId })
  const list = [of('overload', 1), of('overload', 2), of('clock-skew', 1), of('overload', 2)]
  expect(mostFrequent(list, 2)).toEqual([
    { kind: 'overload', locationId: 2, alarms: 2 },
    { kind: 'clock-skew', locationId: 1, alarms: 1 },
  ])
})

const passing: Pick<
  Vehicle,
  'createdAt' | 'checkpointTime' | 'wrongDirection' | 'overheight' | 'overloadSA' | 'overloadMA' | 'overloadTL'
> & {
  location: { id: number }
} = {
  createdAt: at(0),
  checkpointTime: at(300),
  wrongDirection: false,
  overheight: false,
  overloadSA: 0,
  overloadMA: 0,
  overloadTL: 0,
  location: { id: 7 },
}
const inspecting = { inspecting: new Set([7]), overheight: new Set([8]) }
const announced = { id: 1, number: 'K/1/2026/ZAB', state: 'announced' } as const

test.each<[string, Partial<Parameters<typeof vehicleAlarms>[0]>, number, AlarmKind[]]>([
  ['an overload of 20 %', { overloadMA: 20 }, 0, ['overload']],
  ['an overload of 19.9 %', { overloadMA: 19.9, overloadTL: 12 }, 0, []],
  ['an overload where nobody inspects', { overloadMA: 40, location: { id: 8 } }, 0, []],
  ['an overload without a scale', { overloadSA: null, overloadMA: null, overloadTL: null }, 0, []],
  ['an overload without a checkpoint', { overloadTL: 30, checkpointTime: null }, 0, []],
  ['an overload that was taken over', { overloadTL: 30, inspection: { ...announced, state: 'takenOver' } }, 0, []],
  ['an overload after the checkpoint', { overloadTL: 30 }, 300, []],
  ['the wrong way', { wrongDirection: true, location: { id: 9 } }, 0, ['wrong-way']],
  ['the wrong way without a checkpoint, after 5 min', { wrongDirection: true, checkpointTime: null }, 300, []],
  ['an announced vehicle a minute before', { inspection: announced }, 240, ['announced-passing']],
  ['an announced vehicle earlier', { inspection: announced }, 239, []],
  ['overheight', { overheight: true }, 0, []],
  ['overheight where the station says so', { overheight: true, location: { id: 8 } }, 0, ['overheight']],
])('%s, after %d s: %j', (_, values, seconds, kinds) => {
  expect(vehicleAlarms({ ...passing, ...values }, inspecting, at(seconds)).kinds).toEqual(kinds)
})
