import { addScale, changeScale } from '@rogatka/contract/certificates.ts'
import * as endpoints from '@rogatka/contract/inspections.ts'
import { inspectionStates } from '@rogatka/contract/options.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { type Client, type TestApi, testApi, testStation } from '../testing/test-api.ts'
import { passOverdueInspections } from './maintenance.ts'
import { AXLES, addRequest, codesOf, inspectionScene, open, SCALE } from './testing.ts'

type State = (typeof inspectionStates)[number]
type Inspection = { id: number; version: number }

/** The steps of an inspection with valid values. */
const stepsWith = (scaleId: number) => ({
  'take-over': (user: Client, { id, version }: Inspection) =>
    user.call(endpoints.takeOver, { params: { id }, body: { version, reason: 'Zmiana obsady' } }),
  weighing: (user: Client, { id, version }: Inspection) =>
    user.call(endpoints.weigh, { params: { id }, body: { version, scaleId, axles: AXLES } }),
  close: (user: Client, { id, version }: Inspection) =>
    user.call(endpoints.close, { params: { id }, body: { version, results: [1] } }),
  withdraw: (user: Client, { id, version }: Inspection) =>
    user.call(endpoints.withdraw, { params: { id }, body: { version, reason: 'Pomyłka' } }),
  'passed-by': (user: Client, { id, version }: Inspection) =>
    user.call(endpoints.passBy, { params: { id }, body: { version } }),
  reopen: (user: Client, { id, version }: Inspection) =>
    user.call(endpoints.reopen, { params: { id }, body: { version, reason: 'Błędna kwota' } }),
})
type Steps = ReturnType<typeof stepsWith>

/** A inspection announced by one user and taken over by the officer, brought into a state. */
async function inState(state: State, sequence: number, steps: Steps, users: { announcer: Client; officer: Client }) {
  const announced = await open(users.announcer, sequence)
  if (state === 'announced') return announced
  if (state === 'withdrawn') return (await steps.withdraw(users.announcer, announced)).body
  if (state === 'passedBy') return (await steps['passed-by'](users.announcer, announced)).body
  let current = (await steps['take-over'](users.officer, announced)).body
  if (state !== 'takenOver') current = (await steps.weighing(users.officer, current)).body
  if (state === 'closed') current = (await steps.close(users.officer, current)).body
  return current
}

/**
 * The state after each step by a(nnouncer), o(fficer), x (another officer) and r(eviewer), for those who may take it;
 * others are refused by their right. Steps without an entry are not allowed in that state.
 */
const TABLE: Record<State, Partial<Record<keyof Steps, [who: string, after: State]>>> = {
  announced: {
    'take-over': ['aoxr', 'takenOver'],
    withdraw: ['ar', 'withdrawn'],
    'passed-by': ['aoxr', 'passedBy'],
  },
  takenOver: { 'take-over': ['axr', 'takenOver'], weighing: ['or', 'weighed'], withdraw: ['aor', 'withdrawn'] },
  weighed: { 'take-over': ['axr', 'weighed'], weighing: ['or', 'weighed'], close: ['or', 'closed'] },
  closed: { reopen: ['r', 'weighed'] },
  withdrawn: {},
  passedBy: { 'take-over': ['aoxr', 'takenOver'] },
}

test('every step of every state is allowed to those of the table, and refused to others', async () => {
  const api = await testApi()
  const { scale } = await inspectionScene(api, 60)
  const steps = stepsWith(scale.id)
  const [announcer, officer, other] = [
    await api.as('Inspections'),
    await api.as('Inspections'),
    await api.as('Inspections'),
  ]
  const users = { a: announcer, o: officer, x: other, r: await api.as('InspectionReview') }
  const outsiders = [await api.as('CurrentMeasurements'), await api.as('Inspections', 'Anonymization')]
  let sequence = 0
  const create = (state: State) => inState(state, ++sequence, steps, { announcer, officer })

  for (const state of inspectionStates) {
    // Refusals change nothing, so that all are tried on one inspection.
    const unchanged = await create(state)
    for (const name of Object.keys(steps) as (keyof Steps)[]) {
      const [who, after] = TABLE[state][name] ?? ['', state]
      for (const outsider of outsiders)
        expect(codesOf(await steps[name](outsider, unchanged)), `${state} ${name}`).toEqual(['null forbidden'])
      for (const [letter, user] of Object.entries(users)) {
        const about = `${state} ${name} by ${letter}`
        if (who.includes(letter)) {
          const { status, body } = await steps[name](user, await create(state))
          expect([status, body.state], about).toEqual([200, after])
          continue
        }
        const isReviewed = name === 'reopen' && letter !== 'r'
        // Another officer does not see an ended inspection.
        const isHidden = letter === 'x' && (state === 'closed' || state === 'withdrawn')
        // The officer of a taken inspection has it already.
        const isOwn = name === 'take-over' || TABLE[state][name] === undefined
        const code = isReviewed
          ? 'forbidden'
          : isHidden || (letter === 'o' && state === 'withdrawn')
            ? 'inspection-not-found'
            : isOwn
              ? 'state-not-allowed'
              : 'forbidden'
        expect(codesOf(await steps[name](user, unchanged)), about).toEqual([`null ${code}`])
      }
    }
    const { body } = await users.r.call(endpoints.read, { params: { id: unchanged.id } })
    expect([body.state, body.version]).toEqual([state, unchanged.version])
  }
})

test('lets one of several officers take a vehicle over once under concurrency, and answers the others with a conflict', async () => {
  const api = await testApi()
  const second = await testApi({}, { name: api.name, clock: api.clock })
  await inspectionScene(api, 1)
  const announcer = await api.as('Inspections')
  const officers = [await api.as('Inspections'), await api.as('Inspections'), await api.as('Inspections')]
  const { id, version } = await open(announcer, 1)
  const take = (client: Client) => client.call(endpoints.takeOver, { params: { id }, body: { version } })
  const answers = await Promise.all(officers.map(({ token }, at) => take((at % 2 === 0 ? api : second).client(token))))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  const winner = answers.findIndex(({ status }) => status === 200)
  for (const answer of answers.filter((_, at) => at !== winner))
    expect(codesOf(answer)).toEqual(['null inspection-taken-over'])
  const { body } = await announcer.call(endpoints.read, { params: { id } })
  expect([body.officer?.username, body.version]).toEqual([officers[winner]?.username, version + 1])

  // The answer was lost: the same request changes nothing.
  const repeated = await take(officers[winner] as Client)
  expect(repeated.body).toEqual(body)
  const loser = officers[(winner + 1) % 3] as Client
  const takeFrom = (reason?: string) =>
    loser.call(endpoints.takeOver, { params: { id }, body: { version: body.version, ...(reason && { reason }) } })
  expect(codesOf(await takeFrom())).toEqual(['null inspection-taken-over'])
  expect((await takeFrom('Koniec zmiany')).body).toMatchObject({
    state: 'takenOver',
    takenOverAt: body.takenOverAt,
    reason: 'Koniec zmiany',
  })
  const actions = await api.db.query<{ action: string }>(
    sql`select action from audit where action like 'inspection%' order by id`,
  )
  expect(actions.map(({ action }) => action)).toEqual([
    'inspection-announced',
    'inspection-taken-over',
    'inspection-taken-over',
  ])
})

test('a repeated step changes nothing, other steps of an old version are refused', async () => {
  const api = await testApi()
  const { scale } = await inspectionScene(api, 1)
  const officer = await api.as('Inspections')
  const { id, version } = await open(officer, 1, { state: 'takenOver' })
  const weigh = (gross: number) =>
    officer.call(endpoints.weigh, { params: { id }, body: { version, scaleId: scale.id, gross } })
  const both = await Promise.all([weigh(42_000), weigh(42_000)])
  expect(both.map(({ body }) => [body.version, body.confirmed])).toEqual([
    [version + 1, true],
    [version + 1, true],
  ])
  expect(codesOf(await weigh(40_300))).toEqual(['null version-outdated'])
  const close = () =>
    officer.call(endpoints.close, { params: { id }, body: { version: version + 1, results: [4], fineAmount: 500_000 } })
  const closed = (await close()).body
  expect((await close()).body).toEqual(closed)
  expect((await weigh(42_000)).errors[0]?.code).toBe('version-outdated')
})

/** An inspection that an officer has taken over, and the officer. */
async function takenOver(api: TestApi, sequence = 1, at: string | null = null) {
  const officer = await api.as('Inspections')
  return { officer, inspection: await open(officer, sequence, { state: 'takenOver', at }) }
}

test('weights have bounds, belong together, and are weighed on a known scale', async () => {
  const api = await testApi()
  const { scale } = await inspectionScene(api, 1)
  const { officer, inspection } = await takenOver(api)
  let { version } = inspection
  const weigh = async (weights: object) => {
    const body = { version, scaleId: scale.id, ...weights }
    const answer = await officer.call(endpoints.weigh, { params: { id: inspection.id }, body: body as never })
    if (answer.status !== 200) return `${answer.status} ${codesOf(answer)}`
    version = answer.body.version
    return answer.body.static
  }
  const pair = (load: number) => ({ axles: [load, load], gaps: [400] })
  expect(await weigh(pair(99))).toBe('400 axles.0 value-too-small,axles.1 value-too-small')
  expect(await weigh(pair(30_001))).toBe('400 axles.0 value-too-large,axles.1 value-too-large')
  expect(await weigh({ axles: [5_000] })).toBe('400 axles value-too-small')
  expect(await weigh({ axles: Array(13).fill(5_000) })).toBe('400 axles too-many-axles')
  expect(await weigh({ gross: 499 })).toBe('400 gross value-too-small')
  expect(await weigh({ gross: 150_001 })).toBe('400 gross value-too-large')
  expect(await weigh({})).toBe('400 axles required-parameter-missing')
  expect(await weigh({ gross: 29_000, ctg8p1: 99 })).toBe('400 ctg8p1 unknown-option')
  expect(await weigh({ ...pair(5_151), gross: 10_000 })).toBe('422 gross weights-disagree')
  expect(await weigh({ ...pair(5_000), scaleId: scale.id + 1 })).toBe('422 scaleId scale-unknown')
  expect(version).toBe(inspection.version)

  expect(await weigh({ ...pair(5_150), gross: 10_000 })).toMatchObject({ gross: { load: 10_000 } })
  expect(await weigh(pair(249))).toBe('400 gross value-too-small')
  expect(await weigh({ axles: [100, 30_000] })).toMatchObject({ gross: { load: 30_100 } })
  expect(await weigh({ axles: Array(12).fill(12_500) })).toMatchObject({ gross: { load: 150_000 }, gaps: null })
  // The spacings, groups and limits of the measurement.
  expect(await weigh({ axles: AXLES })).toMatchObject({
    gross: { load: 40_300, limit: 40_000 },
    gaps: [374, 562, 131, 131],
    groups: [
      { axles: [1], load: 7_000, limit: 10_000 },
      { axles: [2], load: 10_900, limit: 11_500 },
      { axles: [3, 4, 5], load: 22_400, limit: 24_000 },
    ],
    isScaleValid: true,
    excesses: [],
  })
  expect(await weigh({ gross: 42_000 })).toMatchObject({
    axles: null,
    excesses: [{ kind: 'gross', load: 42_000, certain: 41_580, limit: 40_000, percent: 4 }],
  })
  expect(await weigh({ gross: 29_000, ctg8p1: 3 })).toMatchObject({ gross: { limit: 40_000 } })
})

test('a lifted axle keeps its number, and the gross limit is that of all axles', async () => {
  const api = await testApi()
  const { scale } = await inspectionScene(api, 1)
  const { officer, inspection } = await takenOver(api)
  const weigh = (weights: object) =>
    officer.call(endpoints.weigh, {
      params: { id: inspection.id },
      body: { version: inspection.version, scaleId: scale.id, ...weights },
    })
  const axles = [7_000, 11_000, 9_300, 9_200]
  expect(codesOf(await weigh({ axles, lifted: [6] }))).toEqual(['lifted invalid-value'])
  expect((await weigh({ axles, lifted: [3] })).status).toBe(200)
  const { body } = await officer.call(endpoints.read, { params: { id: inspection.id } })
  expect(body.static).toMatchObject({ lifted: [3], gross: { load: 36_500, limit: 40_000 } })
  expect(body.static?.axles?.map(({ load }) => load)).toEqual(axles)
  expect(body.static?.gaps).toHaveLength(4)
  expect(body.static?.groups.map(({ axles, limit }) => [axles, limit])).toEqual([
    [[1], 10_000],
    [[2], 11_500],
    [[4, 5], 18_000],
  ])
  expect(body.static?.excesses.map(({ kind, axles }) => [kind, axles])).toEqual([['group', [4, 5]]])
  const [entry] = await api.db.query<{ after: object }>(sql`select after from audit order by id desc limit 1`)
  expect(entry?.after).toMatchObject({ axles, lifted: [3] })
  // The legal limits, by which a phone evaluates weights before it sends them.
  expect(body.limits?.axle).toEqual({ driving: 11_500, nonDriving: 10_000 })
})

test('an invalid scale confirms nothing, and editing a scale leaves earlier weighings unchanged', async () => {
  const api = await testApi()
  const { scale } = await inspectionScene(api, 2)
  const certifier = await api.as('ScaleCertificates')
  const expired = (await certifier.call(addScale, { body: { ...SCALE, name: 'Stara', validUntil: '2026-10-19' } })).body
  const { officer, inspection } = await takenOver(api)
  const weigh = (scaleId: number, version: number) =>
    officer.call(endpoints.weigh, {
      params: { id: inspection.id },
      body: { version, scaleId, gross: 42_000 },
    })
  const invalid = (await weigh(expired.id, inspection.version)).body
  expect([invalid.confirmed, invalid.static?.isScaleValid, invalid.static?.excesses]).toEqual([false, false, []])
  const valid = (await weigh(scale.id, invalid.version)).body
  expect([valid.confirmed, valid.static?.scale]).toEqual([true, { id: scale.id, ...SCALE }])
})

test('a weighing entered later uses the certificate of its day', async () => {
  const api = await testApi()
  // 23:50 in Poland.
  api.clock.now = new Date('2026-10-20T21:50:00Z')
  const { scale } = await inspectionScene(api, 2)
  // Signed in again, as a change needs a sign-in within 10 minutes.
  const change = async (values: object) =>
    (await api.as('ScaleCertificates')).call(changeScale, { params: { id: scale.id }, body: { ...SCALE, ...values } })
  const old = { certificate: 'OLD-1', validUntil: '2026-10-20' }
  await change(old)
  const { officer, inspection } = await takenOver(api, 1, '2026-10-20T20:00:00Z')
  let { version } = inspection
  const weigh = async (at: string) => {
    const body = { version, scaleId: scale.id, gross: 42_000, at }
    const answer = await officer.call(endpoints.weigh, { params: { id: inspection.id }, body })
    version = answer.body.version
    const { static: weighed, confirmed } = answer.body
    return [weighed?.scale.certificate, weighed?.scale.accuracyPercent, weighed?.isScaleValid, confirmed]
  }
  expect(await weigh('2026-10-20T21:50:00Z')).toEqual(['OLD-1', 1, true, true])

  // The next day, without a certificate of that day, then with the next one, after which nothing of the first changes.
  api.clock.now = new Date('2026-10-20T22:05:00Z')
  expect(await weigh('2026-10-20T22:00:00Z')).toEqual(['OLD-1', 1, false, false])
  expect(codesOf(await change({ ...old, validUntil: '2026-10-21' }))).toEqual(['certificate scale-certificate-in-use'])
  const next = { certificate: 'NEW-2', validFrom: '2026-10-21', validUntil: '2027-10-20', accuracyPercent: 2 }
  expect((await change(next)).body).toMatchObject({ ...next, id: scale.id, isUsed: true })
  expect(await weigh('2026-10-20T21:59:59Z')).toEqual(['OLD-1', 1, true, true])
  expect(await weigh('2026-10-20T22:00:00Z')).toEqual(['NEW-2', 2, true, true])

  // One that is entered after its first day changes no weighing that was made before it.
  expect((await change({ certificate: 'LATE-3', validFrom: '2026-10-20', accuracyPercent: 5 })).status).toBe(200)
  const { body } = await officer.call(endpoints.read, { params: { id: inspection.id } })
  expect([body.static?.scale.certificate, body.static?.scale.accuracyPercent, body.confirmed]).toEqual([
    'NEW-2',
    2,
    true,
  ])
})

test('results are complete and do not contradict each other, amounts and tax numbers are checked', async () => {
  const api = await testApi()
  const { scale } = await inspectionScene(api, 2)
  const { officer, inspection } = await takenOver(api)
  const close = async (body: object, { id, version }: Inspection = inspection) => {
    const answer = await officer.call(endpoints.close, { params: { id }, body: { version, ...body } as never })
    return answer.status === 200 ? answer.body : `${answer.status} ${codesOf(answer)}`
  }
  expect(await close({ results: [] })).toBe('422 results result-missing')
  expect(await close({ results: [12] })).toBe('400 results.0 unknown-option')
  expect(await close({ results: [1, 2] })).toBe('422 results results-contradict')
  expect(await close({ results: [1, 9] })).toBe('422 results results-contradict')
  expect(await close({ results: [9], fineAmount: 1 })).toBe('422 fineAmount results-contradict')
  expect(await close({ results: [3], fineAmount: 10_000_001 })).toBe('400 fineAmount value-too-large')
  expect(await close({ results: [9], taxId: '1234563219' })).toBe('422 taxId incorrect-tax-id')
  expect(await close({ results: [9], carrier: 'x'.repeat(201) })).toBe('400 carrier text-too-long')
  expect(await close({ results: [9], note: 'x'.repeat(2_001) })).toBe('400 note text-too-long')
  expect(await close({ results: [3] })).toBe('422 null state-not-allowed')
  const refused = { results: [11, 9, 9], carrier: 'Przewozy Kowalski', taxId: 'PL 123-456-32-18', note: 'Odjechał' }
  expect(await close(refused)).toMatchObject({
    state: 'closed',
    results: [9, 11],
    taxId: '1234563218',
    carrier: 'Przewozy Kowalski',
    confirmed: null,
  })

  // Reopened as far as it was: without weights.
  const reviewer = await api.as('InspectionReview')
  const reopened = await reviewer.call(endpoints.reopen, {
    params: { id: inspection.id },
    body: { version: inspection.version + 1, reason: 'Zważono później' },
  })
  expect(reopened.body).toMatchObject({ state: 'takenOver', closed: null, reason: 'Zważono później', results: [9, 11] })
  const weighed = await officer.call(endpoints.weigh, {
    params: { id: inspection.id },
    body: { version: reopened.body.version, scaleId: scale.id, gross: 42_000 },
  })
  for (const results of [[9], [3, 10]])
    expect(await close({ results }, weighed.body)).toBe('422 results results-contradict')
  // 42,000 kg at 1 % exceed 40,000 kg for sure.
  expect(await close({ results: [1, 8] }, weighed.body)).toBe('422 reason reason-missing')
  const invisible = '\u200b\u200b\u200b'
  expect(await close({ results: [1, 8], reason: invisible }, weighed.body)).toContain('400 reason required-')
  const explained = (await close({ results: [1, 8], reason: 'Zezwolenie \u202ekat. V' }, weighed.body)) as Inspection
  expect(explained).toMatchObject({ state: 'closed', confirmed: true, reason: 'Zezwolenie kat. V' })
  const again = { version: explained.version, reason: 'Zezwolenie wygasło' }
  await reviewer.call(endpoints.reopen, { params: { id: inspection.id }, body: again })
  const fined = await close({ results: [3], fineAmount: 10_000_000 }, { ...explained, version: explained.version + 1 })
  expect(fined).toMatchObject({
    state: 'closed',
    fineAmount: 10_000_000,
    note: 'Odjechał',
    carrier: 'Przewozy Kowalski',
  })
})

test('closing keeps texts that the request omits, and removes emptied ones', async () => {
  const api = await testApi()
  await inspectionScene(api, 1)
  const { officer, inspection } = await takenOver(api)
  const reviewer = await api.as('InspectionReview')
  const texts = { carrier: 'Trans-Pol', taxId: '1234563218', declaration: 'Zeznanie', note: 'Uwaga' }
  let { version } = inspection
  const close = async (changes: object) => {
    const params = { id: inspection.id }
    const { body } = await officer.call(endpoints.close, { params, body: { version, results: [9], ...changes } })
    const reopened = await reviewer.call(endpoints.reopen, {
      params,
      body: { version: body.version, reason: 'Poprawka' },
    })
    version = reopened.body.version
    const { carrier, taxId, declaration, note } = body
    return { carrier, taxId, declaration, note }
  }
  expect(await close(texts)).toEqual(texts)
  expect(await close({})).toEqual(texts)
  expect(await close({ declaration: '', note: ' ' })).toEqual({ ...texts, declaration: null, note: null })
  expect(await close({ carrier: null, taxId: '' })).toEqual({
    carrier: null,
    taxId: null,
    declaration: null,
    note: null,
  })
})

test('times are entered up to 24 hours back, in order, never ahead and not before the measurement', async () => {
  const api = await testApi()
  const { scale } = await inspectionScene(api, 2)
  const at = (minutes: number) => new Date(api.clock.now.getTime() - minutes * 60_000).toISOString()
  const refused = ['at time-order']
  // It was measured 2 s before.
  const early = await api.as('InspectionReview')
  expect(codesOf(await early.call(endpoints.add, addRequest(1, { at: at(1) })))).toEqual(refused)

  api.clock.now = new Date(api.clock.now.getTime() + 24 * 3_600_000)
  const officer = await api.as('Inspections')
  const takeAt = (minutes: number) =>
    officer.call(endpoints.add, addRequest(1, { state: 'takenOver', at: at(minutes) }))
  for (const minutes of [24 * 60 + 1, -1]) expect(codesOf(await takeAt(minutes))).toEqual(refused)
  const { id, version } = await open(officer, 1, { state: 'takenOver', at: at(24 * 60) })
  const weigh = (minutes: number) =>
    officer.call(endpoints.weigh, {
      params: { id },
      body: { version, scaleId: scale.id, gross: 9_000, at: at(minutes) },
    })
  expect(codesOf(await weigh(24 * 60 + 1))).toEqual(refused)
  expect(codesOf(await weigh(-1))).toEqual(refused)
  const weighed = (await weigh(30)).body
  expect(weighed.weighed?.at).toBe(at(30))
  const close = (minutes: number) =>
    officer.call(endpoints.close, { params: { id }, body: { version: weighed.version, results: [1], at: at(minutes) } })
  expect(codesOf(await close(31))).toEqual(refused)
  expect((await close(30)).body.closed?.at).toBe(at(30))

  api.clock.now = new Date(api.clock.now.getTime() - 24 * 3_600_000 + 10 * 60_000)
  const announced = await open(officer, 2, { at: at(5) })
  const take = await officer.call(endpoints.takeOver, {
    params: { id: announced.id },
    body: { version: announced.version, at: at(6) },
  })
  expect(codesOf(take)).toEqual(refused)
})

test('an announcement entered so late that the vehicle has passed can be taken over for as long as others', async () => {
  const api = await testApi()
  await inspectionScene(api, 2)
  // The vehicle has been at the checkpoint for more than 15 minutes and less than 30, and the phone had no connection.
  api.clock.now = new Date(api.clock.now.getTime() + 28 * 60_000)
  const officer = await api.as('Inspections')
  const { id } = await open(officer, 1, { at: '2026-10-20T08:10:00Z' })
  await passOverdueInspections(api.db, api.clock.now)
  const passed = (await officer.call(endpoints.read, { params: { id } })).body
  expect([passed.state, passed.passedBy?.at]).toEqual(['passedBy', api.clock.now.toISOString()])
  expect(codesOf(await officer.call(endpoints.takeOver, { params: { id }, body: { version: 2 } }))).toEqual([])

  // Later nobody waits for it; who stopped it says so.
  api.clock.now = new Date(api.clock.now.getTime() + 20 * 60_000)
  const late = { at: '2026-10-20T08:10:00Z' }
  const later = await api.as('Inspections')
  expect(codesOf(await later.call(endpoints.add, addRequest(2, late)))).toEqual(['state state-not-allowed'])
  const taken = await later.call(endpoints.add, addRequest(2, { ...late, state: 'takenOver' }))
  expect(taken.status).toBe(200)
})

test('a vehicle whose inspection is closed is not announced again, until the closing turns out to be wrong', async () => {
  const api = await testApi()
  await inspectionScene(api, 1)
  const [officer, other] = [await api.as('Inspections'), await api.as('Inspections')]
  const { id, number } = await open(officer, 1, { state: 'takenOver' })
  await officer.call(endpoints.close, { params: { id }, body: { version: 1, results: [10] } })
  const again = await other.call(endpoints.add, addRequest(1))
  expect([again.status, codesOf(again)]).toEqual([409, ['null inspection-closed-earlier']])
  expect(again.errors[0]?.userMessage).toContain(number)
  // An officer who has it on another scale takes it over.
  expect((await other.call(endpoints.add, addRequest(1, { state: 'takenOver' }))).status).toBe(200)
})

test('an officer learns who closed their inspection and when, and may still read it', async () => {
  const api = await testApi()
  await inspectionScene(api, 1)
  const [first, second, third] = [await api.as('Inspections'), await api.as('Inspections'), await api.as('Inspections')]
  const { id, version } = await open(first, 1, { state: 'takenOver' })
  const params = { id }
  // Announced by nobody else, so that the announcement does not make it the first one's own.
  await api.db.execute(sql`update inspection set announced_by = ${third.userId} where id = ${id}`)
  const takeFrom = (user: Client, version: number) =>
    user.call(endpoints.takeOver, { params, body: { version, reason: 'Koniec zmiany' } })
  expect((await takeFrom(second, version)).status).toBe(200)
  api.clock.now = new Date('2026-10-20T08:15:00Z')
  const closing = { params, body: { version: version + 1, results: [9 as const] } }
  expect((await second.call(endpoints.close, closing)).status).toBe(200)

  // His entry of before, and one after he has loaded the page again.
  for (const seen of [version, version + 2]) {
    const late = await first.call(endpoints.close, { params, body: { version: seen, results: [11] } })
    expect([late.status, codesOf(late)]).toEqual([409, ['null inspection-closed-meanwhile']])
    expect(late.errors[0]?.userMessage).toContain(second.username)
    expect(late.errors[0]?.userMessage).toContain('20.10.2026 10:15')
  }
  const read = await first.call(endpoints.read, { params })
  expect(read.body).toMatchObject({ state: 'closed', results: [9], closed: { by: { username: second.username } } })
  const stranger = await api.as('Inspections')
  expect((await stranger.call(endpoints.read, { params })).status).toBe(404)
})

test('a new inspection needs a measured vehicle, unless it was stopped at random', async () => {
  const api = await testApi()
  await inspectionScene(api, 1)
  const officer = await api.as('Inspections')
  const add = async (body: object, sequence = 1) =>
    codesOf(await officer.call(endpoints.add, addRequest(sequence, body)))
  const none = { vehicleId: null, createdAt: null }
  expect(await add(none)).toEqual(['vehicleId passage-needed'])
  expect(await add({ ...none, selection: 'random' })).toEqual(['vehicleId passage-needed'])
  expect(await add({ ...none, state: 'takenOver' })).toEqual(['vehicleId passage-needed'])
  expect(await add({ createdAt: null })).toEqual(['vehicleId passage-needed'])
  expect(await add({}, 2)).toEqual(['vehicleId vehicle-not-found'])
  expect(await add({ locationId: 8 })).toEqual(['locationId location-not-found'])
  expect(await add({ state: 'closed' })).toEqual(['state unknown-option'])
  const random = await open(officer, 1, { ...none, state: 'takenOver', selection: 'random' })
  expect((await officer.call(endpoints.read, { params: { id: random.id } })).body).toMatchObject({
    location: { id: testStation.id },
    wim: null,
    selection: 'random',
    officer: { username: officer.username },
  })
  // In the Polish year 2027, of two that are entered the first began in 2026.
  api.clock.now = new Date('2026-12-31T23:30:00Z')
  const late = await api.as('Inspections')
  const stop = (sequence: number, at: string) =>
    open(late, sequence, { ...none, state: 'takenOver', selection: 'random', at })
  const numbers = [await stop(2, '2026-12-31T22:59:59Z'), await stop(3, '2026-12-31T23:00:00Z')]
  expect(numbers.map(({ number }) => number.slice(0, -4))).toEqual(['K/2/2026', 'K/1/2027'])
})

test('lists every step with its user, time and reason', async () => {
  const api = await testApi()
  const { scale } = await inspectionScene(api, 1)
  const [first, second] = [await api.as('Inspections'), await api.as('Inspections')]
  const reviewer = await api.as('InspectionReview')
  const { id } = await open(first, 1)
  const params = { id }
  const start = api.clock.now.getTime()
  const at = (minutes: number) => {
    api.clock.now = new Date(start + minutes * 60_000)
    return api.clock.now.toISOString()
  }
  at(1)
  await first.call(endpoints.takeOver, { params, body: { version: 1 } })
  at(2)
  const takenAt = new Date(start + 90_000).toISOString()
  await second.call(endpoints.takeOver, { params, body: { version: 2, reason: 'Zmiana służby', at: takenAt } })
  const weighedAt = at(3)
  // Before the second take-over.
  const early = { version: 3, scaleId: scale.id, gross: 39_000, at: new Date(start + 89_000).toISOString() }
  expect(codesOf(await second.call(endpoints.weigh, { params, body: early }))).toEqual(['at time-order'])
  await second.call(endpoints.weigh, { params, body: { version: 3, scaleId: scale.id, gross: 39_000, at: weighedAt } })
  at(4)
  await second.call(endpoints.close, { params, body: { version: 4, results: [3], fineAmount: 50_000 } })
  await reviewer.call(endpoints.reopen, { params, body: { version: 5, reason: 'Błędny wynik' } })
  // Before the reopening.
  const closing = { params, body: { version: 6, results: [2 as const], at: weighedAt } }
  expect(codesOf(await second.call(endpoints.close, closing))).toEqual(['at time-order'])
  await second.call(endpoints.close, { params, body: { version: 6, results: [2] } })
  const { body } = await reviewer.call(endpoints.read, { params })
  const minute = (minutes: number) => new Date(start + minutes * 60_000).toISOString()
  const none = { before: null, after: null }
  const fined = { results: [3], fineAmount: 50_000 }
  const warned = { results: [2], fineAmount: null }
  expect(body.steps).toEqual([
    { step: 'announced', at: minute(0), by: first.username, reason: null, ...none },
    { step: 'takenOver', at: minute(1), by: first.username, reason: null, ...none },
    { step: 'takenOver', at: takenAt, by: second.username, reason: 'Zmiana służby', ...none },
    { step: 'weighed', at: minute(3), by: second.username, reason: null, ...none },
    { step: 'closed', at: minute(4), by: second.username, reason: null, before: null, after: fined },
    { step: 'reopened', at: minute(4), by: reviewer.username, reason: 'Błędny wynik', before: fined, after: null },
    { step: 'closed', at: minute(4), by: second.username, reason: null, before: fined, after: warned },
  ])
})
