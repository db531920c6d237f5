import { inspectionStates } from '@rogatka/contract/options.ts'
import { describe, expect, test } from 'vitest'
import {
  type InspectionStatus,
  inspectionSteps,
  isClosedByAnother,
  isVisible,
  stateAfter,
  stepError,
  timeError,
} from './states.ts'

const NOW = new Date('2026-10-20T12:00:00Z')
const before = (hours: number, ms = 0) => new Date(NOW.getTime() - hours * 3_600_000 - ms)

const [ANNOUNCER, OFFICER, OTHER, REVIEWER] = [1, 2, 3, 4]
const status = (state: (typeof inspectionStates)[number], passedByAt = before(1)) => ({
  state,
  announcerId: ANNOUNCER,
  officerId: state === 'announced' || state === 'passedBy' ? null : OFFICER,
  formerOfficerIds: [],
  passedByAt: state === 'passedBy' ? passedByAt : null,
  isWeighed: state === 'weighed' || state === 'closed',
})

/** Who may take a step: a announcer, o officer, x another officer, r reviewer; empty if the state does not allow it. */
const TABLE: Record<(typeof inspectionSteps)[number], Record<(typeof inspectionStates)[number], string>> = {
  'take-over': { announced: 'aoxr', takenOver: 'axr', weighed: 'axr', closed: '', withdrawn: '', passedBy: 'aoxr' },
  weighing: { announced: '', takenOver: 'or', weighed: 'or', closed: '', withdrawn: '', passedBy: '' },
  close: { announced: '', takenOver: '', weighed: 'or', closed: '', withdrawn: '', passedBy: '' },
  withdraw: { announced: 'ar', takenOver: 'aor', weighed: '', closed: '', withdrawn: '', passedBy: '' },
  'passed-by': { announced: 'aoxr', takenOver: '', weighed: '', closed: '', withdrawn: '', passedBy: '' },
  reopen: { announced: '', takenOver: '', weighed: '', closed: 'r', withdrawn: '', passedBy: '' },
}

describe.each(inspectionSteps)('%s', (step) => {
  test.each(inspectionStates)('of an inspection that is %s', (state) => {
    const actors = { a: ANNOUNCER, o: OFFICER, x: OTHER, r: REVIEWER }
    const errors = Object.entries(actors).map(([name, userId]) => {
      const actor = { userId, isReviewer: userId === REVIEWER }
      return [name, stepError(status(state), step, actor, { now: NOW, hasReason: true })] as const
    })
    const allowed = errors.flatMap(([name, error]) => (error === null ? name : [])).join('')
    const expected = TABLE[step][state]
    expect(allowed).toBe(expected)
    const refusals = errors.flatMap(([, error]) => error ?? [])
    // Nobody takes over from themselves; else the state is allowed to others.
    const refusal = expected === '' || step === 'take-over' ? 'state-not-allowed' : 'forbidden'
    expect(refusals).toEqual(refusals.map(() => refusal))
  })
})

test('taking over from another officer needs a reason', () => {
  const other = { userId: OTHER, isReviewer: false }
  expect(stepError(status('weighed'), 'take-over', other, { now: NOW })).toBe('inspection-taken-over')
  expect(stepError(status('weighed'), 'take-over', other, { now: NOW, hasReason: true })).toBeNull()
  for (const state of ['announced', 'passedBy'] as const)
    expect(stepError(status(state), 'take-over', other, { now: NOW })).toBeNull()
})

test.each([
  [before(12), null],
  [before(12, 1), 'state-not-allowed'],
])('a vehicle that passed by can be taken over for 12 hours: %s', (passedByAt, expected) => {
  const actor = { userId: OTHER, isReviewer: false }
  expect(stepError(status('passedBy', passedByAt), 'take-over', actor, { now: NOW })).toBe(expected)
})

test('an unweighed inspection is closed only with results that allow it', () => {
  const officer = { userId: OFFICER, isReviewer: false }
  const errorWith = (canCloseUnweighed: boolean, state: (typeof inspectionStates)[number] = 'takenOver') =>
    stepError({ ...status(state), officerId: OFFICER }, 'close', officer, { now: NOW, canCloseUnweighed })
  expect([errorWith(false), errorWith(true), errorWith(true, 'announced')]).toEqual([
    'state-not-allowed',
    null,
    'state-not-allowed',
  ])
})

test.each([
  ['announced', 'take-over', 'takenOver'],
  ['passedBy', 'take-over', 'takenOver'],
  ['takenOver', 'take-over', 'takenOver'],
  ['weighed', 'take-over', 'weighed'],
  ['takenOver', 'weighing', 'weighed'],
  ['weighed', 'close', 'closed'],
  ['takenOver', 'withdraw', 'withdrawn'],
  ['announced', 'passed-by', 'passedBy'],
  ['closed', 'reopen', 'weighed'],
] as const)('%s, %s: %s', (state, step, after) => {
  expect(stateAfter(status(state), step)).toBe(after)
})

test('an inspection that was closed without weights is reopened as taken over', () => {
  expect(stateAfter({ ...status('closed'), isWeighed: false }, 'reopen')).toBe('takenOver')
})

test.each([
  ['now', NOW, null],
  ['ahead', before(0, -1), 'time-order'],
  ['24 hours back', before(24), null],
  ['longer ago', before(24, 1), 'time-order'],
  ['at the previous step', before(2), null],
  ['before the previous step', before(2, 1), 'time-order'],
])('an entered time %s', (name, at, expected) => {
  const previous = name.includes('previous') ? before(2) : null
  expect(timeError(at, NOW, previous)).toBe(expected)
})

test('others see open inspections, and for 12 hours those that passed by', () => {
  const other = { userId: OTHER, isReviewer: false }
  const visible = inspectionStates.filter((state) => isVisible(status(state), other, NOW))
  expect(visible).toEqual(['announced', 'takenOver', 'weighed', 'passedBy'])
  expect(isVisible(status('passedBy', before(12, 1)), other, NOW)).toBe(false)
  expect(isVisible({ ...status('passedBy'), passedByAt: null }, other, NOW)).toBe(false)
  // It had passed by, and was taken over and closed since.
  expect(isVisible({ ...status('closed'), passedByAt: before(1) }, other, NOW)).toBe(false)
  for (const actor of [
    { userId: ANNOUNCER, isReviewer: false },
    { userId: OFFICER, isReviewer: false },
    { userId: OTHER, isReviewer: true },
  ])
    expect(isVisible(status('closed'), actor, NOW)).toBe(true)
})

test.each<[string, Partial<InspectionStatus> & { isOutdated?: boolean }, number, number, boolean]>([
  ['its officer, by another', {}, OFFICER, OTHER, true],
  ['its officer, by themselves', {}, OFFICER, OFFICER, false],
  ['its former officer', { formerOfficerIds: [REVIEWER, ANNOUNCER] }, ANNOUNCER, OFFICER, true],
  ['a user with a former version', { isOutdated: true }, ANNOUNCER, OFFICER, true],
  ['a user with its latest version', {}, ANNOUNCER, OFFICER, false],
  ['its officer, who withdrew it', { state: 'withdrawn' }, OFFICER, OTHER, false],
])(
  'an inspection was closed by another one to %s',
  (_, { isOutdated = false, ...fields }, userId, closerId, expected) => {
    expect(isClosedByAnother({ ...status('closed'), ...fields }, { closerId, userId, isOutdated })).toBe(expected)
  },
)
