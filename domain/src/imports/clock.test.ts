import { expect, test } from 'vitest'
import { type ClockJumps, createHourCounter, createJumpFinder, createZone, instantsOf, resolveLocal } from './clock.ts'
import { createRepeatCounter, sequenceText } from './sequence.ts'

const iso = (ms: number) => new Date(ms).toISOString().slice(0, 16)
const local = (text: string) => Date.parse(`${text}Z`)

test.each([
  ['Europe/Warsaw', '2026-01-15T13:00', ['2026-01-15T12:00']],
  ['Europe/Warsaw', '2026-07-15T14:00', ['2026-07-15T12:00']],
  ['Europe/Warsaw', '2026-03-29T01:59', ['2026-03-29T00:59']],
  ['Europe/Warsaw', '2026-03-29T02:00', []],
  ['Europe/Warsaw', '2026-03-29T02:59', []],
  ['Europe/Warsaw', '2026-03-29T03:00', ['2026-03-29T01:00']],
  ['Europe/Warsaw', '2026-10-25T02:30', ['2026-10-25T00:30', '2026-10-25T01:30']],
  ['Europe/Warsaw', '2026-10-25T03:00', ['2026-10-25T02:00']],
  ['America/New_York', '2026-11-01T01:30', ['2026-11-01T05:30', '2026-11-01T06:30']],
  ['+01:00', '2026-10-25T02:30', ['2026-10-25T01:30']],
  ['-05:30', '2026-10-25T02:30', ['2026-10-25T08:00']],
])('in %s the clock shows %s at %j', (zone, time, instants) => {
  expect(instantsOf(createZone(zone), local(time)).map(iso)).toEqual(instants)
})

const zone = createZone('Europe/Warsaw')

/** The instants of rows, each with its station and its time in the double hour of 2026; `*` where winter time is assumed. */
function resolve(rows: [station: string, time: string][]): string[] {
  const finder = createJumpFinder(zone)
  const times = rows.map(([station, time]) => [station, local(`2026-10-25T${time}`)] as const)
  for (const [index, [station, at]] of times.entries()) finder.add(station, at, index + 1)
  const jumps: ClockJumps = JSON.parse(JSON.stringify(finder.jumps))
  return times.map(([station, at], index) => {
    const resolved = resolveLocal(zone, jumps, { station, local: at, line: index + 1 })
    return resolved ? iso(resolved.at).slice(11) + (resolved.isAmbiguous ? '*' : '') : '–'
  })
}

test('the double hour is summer time until the times of the station jump back by 30 minutes', () => {
  expect(
    resolve([
      ['7', '01:59'],
      ['7', '02:10'],
      ['8', '02:20'],
      ['7', '02:50'],
      ['7', '02:49'],
      ['7', '02:20'],
      ['7', '02:55'],
      ['8', '02:21'],
      ['7', '03:00'],
    ]),
  ).toEqual(['23:59', '00:10', '01:20*', '00:50', '00:49', '01:20', '01:55', '01:21*', '02:00'])
})

test('stations and days beyond a limit have no jump', () => {
  const finder = createJumpFinder(zone, 1)
  for (const [station, time] of [
    ['7', '02:50'],
    ['8', '02:50'],
    ['8', '02:10'],
    ['7', '02:10'],
  ] as const)
    finder.add(station, local(`2026-10-25T${time}`), Object.keys(finder.jumps).length)
  expect(Object.keys(finder.jumps)).toEqual(['7|2026-10-25'])
})

test('29 minutes back are no jump', () => {
  expect(
    resolve([
      ['7', '02:50'],
      ['7', '02:21'],
    ]),
  ).toEqual(['01:50*', '01:21*'])
})

test('a time of the hour left out in spring has no instant', () => {
  const row = { station: '7', local: local('2026-03-29T02:30'), line: 1 }
  expect(resolveLocal(zone, {}, row)).toBeNull()
})

test('counts vehicles by station, lane and hour, from 0', () => {
  const countInHour = createHourCounter()
  const [ten, eleven] = [local('2026-10-20T10:00'), local('2026-10-20T11:00')]
  expect([
    countInHour('12', '1-1', ten),
    countInHour('12', '1-1', ten),
    countInHour('12', '1-2', ten),
    countInHour('12', '1-1', eleven),
    countInHour('12', '1-1', ten),
    countInHour('13', '1-1', ten),
  ]).toEqual([0, 1, 0, 0, 2, 0])
})

test('the text of a sequence is that of the worked example; what was not measured is empty', () => {
  const source = {
    locationId: 12,
    createdAt: new Date('2026-10-20T08:15:24Z'),
    laneNumber: 1,
    speed: 84,
    length: 1642,
    gross: 39330,
    loads: [6970, 10780, 7180, 7200, 7200],
    gaps: [374, 562, 131, 131],
  }
  expect(`${sequenceText(source)}|0`).toBe(
    'import|12|2026-10-20T08:15:24.000Z|1|84|1642|39330|6970,10780,7180,7200,7200|374,562,131,131|0',
  )
  expect(sequenceText({ ...source, speed: null, length: null, gross: null, loads: [], gaps: [] })).toBe(
    'import|12|2026-10-20T08:15:24.000Z|1|||||',
  )
})

test('counts equal rows before a row within two generations', () => {
  const count = createRepeatCounter(2)
  expect(['a', 'a', 'b', 'a', 'c', 'a'].map(count)).toEqual([0, 1, 0, 2, 0, 3])
  for (const text of ['d', 'e', 'f', 'g', 'h']) count(text)
  expect(count('a')).toBe(0)
})
