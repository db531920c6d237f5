import type { AlarmKind } from '@rogatka/contract/alarms.ts'
import { expect, test } from 'vitest'
import {
  type AlarmTimers,
  type Condition,
  evaluateAlarms,
  isClosedWhenCleared,
  isRepeating,
  type Observations,
  type StoredAlarm,
} from './engine.ts'
import { type AlarmSource, alarmRules, alarmSources } from './kinds.ts'

const at = (seconds: number) => new Date(Date.parse('2026-10-20T08:00:00Z') + seconds * 1000)

const stored = (kind: AlarmKind, values: Partial<StoredAlarm> = {}): StoredAlarm => ({
  id: 1,
  kind,
  subject: 'x',
  clearedAt: null,
  acknowledgedAt: null,
  endsAt: null,
  shelvedUntil: null,
  closedAt: null,
  raisedTimes: [at(0)],
  ...values,
})

const holding = (kind: AlarmKind, endsAt: Date | null = null): Condition => ({ kind, subject: 'x', endsAt })

/** All sources have reported, with these causes. */
const observed = (...causes: Condition[]): Observations<Condition> =>
  new Map(
    alarmSources.map((source): [AlarmSource, Condition[]] => [
      source,
      causes.filter(({ kind }) => alarmRules[kind].source === source),
    ]),
  )

const changesOf = (
  alarms: StoredAlarm[],
  observations: Observations<Condition>,
  now: Date,
  timers: AlarmTimers = new Map(),
) => evaluateAlarms(alarms, observations, timers, now).changes

test.each<[string, StoredAlarm[], Observations<Condition>, number, object[]]>([
  ['a new cause is raised', [], observed(holding('station-silent')), 0, [{ type: 'raise' }]],
  ['an open alarm is not raised twice', [stored('station-silent')], observed(holding('station-silent')), 5, []],
  [
    'another kind of one subject is another alarm',
    [stored('lane-silent')],
    observed(holding('lane-silent'), holding('clock-skew')),
    5,
    [{ type: 'raise', condition: { kind: 'clock-skew' } }],
  ],
  ['a source that has not reported clears nothing', [stored('station-silent')], new Map(), 900, []],
  [
    'an acknowledged alarm stays as it is',
    [stored('overload', { acknowledgedAt: at(1), endsAt: at(60) })],
    observed(holding('overload', at(60))),
    30,
    [],
  ],
  [
    'a countdown that ended unacknowledged is missed',
    [stored('overload', { endsAt: at(60) })],
    observed(holding('overload', at(60))),
    60,
    [{ type: 'clear', id: 1, isMissed: true }],
  ],
  [
    'a countdown that ended acknowledged is not missed',
    [stored('overload', { endsAt: at(60), acknowledgedAt: at(5) })],
    observed(),
    60,
    [{ type: 'clear', id: 1, isMissed: false }],
  ],
  [
    'a vehicle whose cause goes before the end of its countdown is not missed',
    [stored('overload', { endsAt: at(60) })],
    observed(),
    30,
    [{ type: 'clear', id: 1, isMissed: false }],
  ],
  [
    'a countdown ends without its source, too',
    [stored('wrong-way', { endsAt: at(60) })],
    new Map(),
    61,
    [{ type: 'clear', id: 1, isMissed: true }],
  ],
  ['a countdown that is over raises nothing', [], observed(holding('wrong-way', at(60))), 60, []],
  [
    'shelving ends by itself',
    [stored('clock-skew', { shelvedUntil: at(60) })],
    observed(holding('clock-skew')),
    60,
    [{ type: 'return', id: 1 }],
  ],
  [
    'shelving does not end before',
    [stored('clock-skew', { shelvedUntil: at(60) })],
    observed(holding('clock-skew')),
    59,
    [],
  ],
  [
    'the cause of a closed alarm raises another one after ten minutes',
    [stored('clock-skew', { clearedAt: at(0), closedAt: at(1) })],
    observed(holding('clock-skew')),
    600,
    [{ type: 'raise' }],
  ],
  [
    'the cause of a closed alarm repeats it within ten minutes',
    [stored('clock-skew', { clearedAt: at(0), closedAt: at(1) })],
    observed(holding('clock-skew')),
    599,
    [{ type: 'repeat', id: 1, keepsAcknowledgement: false, raisedTimes: [at(0), at(599)] }],
  ],
  [
    'a cleared alarm that nobody acknowledged is repeated at any time',
    [stored('clock-skew', { clearedAt: at(0) })],
    observed(holding('clock-skew')),
    90_000,
    [{ type: 'repeat', id: 1 }],
  ],
  [
    'the third time within a minute keeps the acknowledgement',
    [stored('clock-skew', { clearedAt: at(50), raisedTimes: [at(0), at(30)] })],
    observed(holding('clock-skew')),
    60,
    [{ type: 'repeat', keepsAcknowledgement: true, raisedTimes: [at(0), at(30), at(60)] }],
  ],
])('%s', (_, alarms, observations, seconds, expected) => {
  const changes = changesOf(alarms, observations, at(seconds))
  expect(changes).toHaveLength(expected.length)
  expect(changes).toMatchObject(expected)
})

test('raises a silent sign after a minute, and clears it after half a minute', () => {
  const causes = observed(holding('sign-silent'))
  const first = evaluateAlarms([], causes, new Map(), at(0))
  expect(first.changes).toEqual([])
  expect(changesOf([], causes, at(59), first.timers)).toEqual([])
  // An interruption starts the delay again.
  const interrupted = evaluateAlarms([], observed(), first.timers, at(30))
  const again = evaluateAlarms([], causes, interrupted.timers, at(40))
  expect(changesOf([], causes, at(60), again.timers)).toEqual([])
  expect(changesOf([], causes, at(60), first.timers)).toMatchObject([{ type: 'raise' }])

  const open = [stored('sign-silent')]
  const gone = evaluateAlarms(open, observed(), new Map(), at(100))
  expect(gone.changes).toEqual([])
  expect(changesOf(open, observed(), at(129), gone.timers)).toEqual([])
  expect(changesOf(open, observed(), at(130), gone.timers)).toEqual([{ type: 'clear', id: 1, isMissed: false }])
})

test('repeating ends ten minutes after the last time', () => {
  const times = [at(0), at(20), at(60)]
  expect(isRepeating(times, at(659))).toBe(true)
  expect(isRepeating(times, at(660))).toBe(false)
  expect(isRepeating([at(0), at(20), at(61)], at(62))).toBe(false)
  expect(isRepeating([at(0), at(1)], at(2))).toBe(false)
})

test.each<[AlarmKind, Partial<StoredAlarm>, boolean]>([
  ['station-silent', {}, false],
  ['station-silent', { acknowledgedAt: at(1) }, true],
  ['station-silent', { acknowledgedAt: at(1), shelvedUntil: at(900) }, false],
  ['overload', {}, true],
])('%s with %o leaves the list when cleared: %s', (kind, values, closed) => {
  expect(isClosedWhenCleared(stored(kind, values), at(60))).toBe(closed)
})
