import * as activity from '@rogatka/contract/activity.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import * as vms from '@rogatka/contract/vms.ts'
import { expect, test } from 'vitest'
import { raw, sql } from '../core/statement.ts'
import { car, send } from '../ingest/testing.ts'
import { type TestApi, testApi, testStation } from '../testing/test-api.ts'
import type { Timing } from './ntcip1203/driver.ts'
import { createForeignSign, LOCAL } from './ntcip1203/testing-sign.ts'
import { testSigns, until } from './testing.ts'

const WEIGH = '[g1][jp3][jl3]KONTROLA'
const SLOW = '[g2]'
const CONTENT = '[jp3][jl3]ZJAZD[nl]NA WAGE'
const PLATE = '[jp3][jl3]KONTROLA[nl]WX 10001'
const DAY = { dateTimeStart: '2026-10-20T00:00:00Z', dateTimeEnd: '2026-10-21T00:00:00Z' }
/** Longer than a sign may take to switch, and longer than the deadline of a command. */
const LATER_MS = 30_000

/** Short timeouts, to keep these tests short. */
const QUICK: Timing = { command: { timeoutMs: 500, retries: 1 }, poll: { timeoutMs: 500, retries: 0 } }

type Sign = Awaited<ReturnType<typeof createForeignSign>>

const quickApi = (share?: TestApi) => testApi({}, share, undefined, QUICK)

/** A group of two third-party signs; the second shows plates. */
async function scene() {
  const [first, second] = [await createForeignSign(), await createForeignSign()]
  const api = await quickApi()
  const { groupId } = await testSigns(api, [first.address, second.address])
  const operator = await api.as('CurrentMeasurements', 'Vms', 'UserManagement')
  const enable = (variantId = 1) => operator.call(vms.enableVariant, { params: { groupId, variantId } })
  const disable = () => operator.call(vms.disableVariant, { params: { groupId } })
  const groupIn = async (client = operator) => (await client.call(vms.groups)).body[0]
  const enabled = async () => (await groupIn())?.vms.map(({ enabled }) => enabled?.variant ?? null)
  const unsettled = async () => (await api.db.query(sql`select id from vms_command where is_unsettled`)).length
  const wait = (ms: number) => {
    api.clock.now = new Date(api.clock.now.getTime() + ms)
  }
  return { api, first, second, groupId, operator, enable, disable, groupIn, enabled, unsettled, wait }
}

/** From the next activation the sign does not answer; it obeys it or not. Returns a function that restores it. */
function loseActivation({ state }: Sign, obeys = true): () => void {
  let isSilent = false
  state.fate = (kind) => {
    if (!isSilent && kind !== 'activate') return 'answer'
    const fate = obeys && !isSilent ? 'lose' : 'ignore'
    isSilent = true
    return fate
  }
  return () => {
    state.fate = () => 'answer'
  }
}

/** Waits for a few polls: long enough for wrong commands to be sent. */
async function polled({ state }: Sign): Promise<void> {
  const before = state.requests.length
  await until(async () => state.requests.length >= before + 4)
}

test('an activation without a response is done if read-back confirms it', async () => {
  const { first, second, enable, disable, enabled, groupIn } = await scene()
  for (const { state } of [first, second]) state.fate = (kind) => (kind === 'activate' ? 'lose' : 'answer')
  expect((await enable()).body.results.map(({ done }) => done)).toEqual([true, true])
  expect([first.shows(), second.shows()]).toEqual([WEIGH, CONTENT])
  expect(await enabled()).toEqual([1, 1])

  const { results, group } = (await disable()).body
  expect(results.map(({ done }) => done)).toEqual([true, true])
  expect(group.vms.map(({ shows }) => shows?.kind)).toEqual(['blank', 'blank'])
  await polled(first)
  expect([first.state.activated.at(-1), second.state.activated.at(-1)]).toEqual(['', ''])
  expect((await groupIn())?.vms.map(({ vmsStatus }) => vmsStatus.status)).toEqual(['OK', 'OK'])
})

test('a missing answer that is stored slowly does not replace the status of the next attempt', async () => {
  const { api, first, enable } = await scene()
  await api.db.query(
    raw(`
    create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(1); return new; end $$;
    create trigger slow before insert on vms_status for each row when (new.error is not null) execute function slow();
    create table stored (id serial, port int, at timestamptz, error text);
    create function record() returns trigger language plpgsql as $$ begin
      insert into stored (port, at, error)
      select port, clock_timestamp(), new.error from vms_sign where id = new.sign_id;
      return null; end $$;
    create trigger record after insert or update on vms_status for each row execute function record()`),
  )
  let lostAt: Date | undefined
  first.state.fate = (kind) => {
    if (kind !== 'activate' || lostAt) return 'answer'
    lostAt = new Date()
    return 'ignore'
  }
  expect((await enable()).body.results.map(({ done }) => done)).toEqual([true, true])
  const stored = async () => {
    const rows = await api.db.query<{ error: string | null }>(sql`
      select error from stored where port = ${first.address.port} and at >= ${lostAt}::timestamptz order by id`)
    return rows.map(({ error }) => error !== null)
  }
  await until(async () => (await stored()).includes(true))
  await until(async () => (await stored()).length > 1)
  expect((await stored()).slice(0, 2)).toEqual([true, false])
})

test('late and duplicate answers do not change the commanded state', async () => {
  const { first, second, enable, enabled } = await scene()
  first.state.fate = (kind) => (kind === 'activate' ? { lateMs: 800 } : 'answer')
  second.state.fate = () => 'twice'
  expect((await enable()).body.results.map(({ done }) => done)).toEqual([true, true])
  expect((await enable(2)).body.results.map(({ done }) => done)).toEqual([true, true])
  await polled(first)
  expect([first.shows(), second.shows()]).toEqual([SLOW, CONTENT])
  expect(await enabled()).toEqual([2, 2])
})

test('records a sign as enabled by its operator once it answers, if it obeyed without answering', async () => {
  const { first, operator, enable, groupIn, enabled, wait } = await scene()
  const speak = loseActivation(first)
  const { results } = (await enable()).body
  expect(results.map(({ done, error }) => [done, error?.code])).toEqual([
    [false, 'sign-did-not-answer'],
    [true, undefined],
  ])
  expect(first.shows()).toBe(WEIGH)
  expect(await enabled()).toEqual([null, 1])
  wait(LATER_MS)
  speak()
  await until(async () => (await enabled())?.[0] === 1)
  expect((await groupIn())?.vms[0]).toMatchObject({
    shows: { kind: 'content' },
    enabled: { variant: 1, by: { username: operator.username } },
  })
  const log = (await operator.call(activity.vmsLogs, { query: DAY })).body.content
  expect(log.map(({ user, logoutAt }) => [user?.username, logoutAt])).toEqual([
    [operator.username, null],
    [operator.username, null],
  ])
  const audit = (await operator.call(activity.audit, { query: { ...DAY, orderDirection: 'asc' } })).body.content
  const ofFirst = audit.filter(({ subject }) => subject?.includes('1+900'))
  expect(ofFirst.map(({ action, user, after }) => [action, user?.username, after])).toMatchObject([
    ['sign-enabled', operator.username, { refused: 'sign-did-not-answer' }],
    ['sign-enabled', operator.username, { shows: 'content', content: 'Waga' }],
  ])
  expect(first.state.activated).toEqual([WEIGH])
})

test('does not re-enable a sign that was disabled without an answer', async () => {
  const { first, enable, disable, enabled, unsettled } = await scene()
  await enable()
  const speak = loseActivation(first)
  expect((await disable()).body.results.map(({ done }) => done)).toEqual([false, true])
  speak()
  await until(async () => (await enabled())?.[0] === null)
  await polled(first)
  expect(first.state.activated).toEqual([WEIGH, ''])
  expect(await unsettled()).toBe(0)
})

test('a sign that did not obey keeps its content, also after a power loss', async () => {
  const { first, enable, disable, enabled, unsettled, wait } = await scene()
  await enable()
  const speak = loseActivation(first, false)
  await disable()
  speak()
  await polled(first)
  // It may still obey.
  expect(await unsettled()).toBe(1)
  wait(LATER_MS)
  await until(async () => (await unsettled()) === 0)
  expect(await enabled()).toEqual([1, null])
  expect(first.state.activated).toEqual([WEIGH])
  first.restart()
  await until(async () => first.shows() === WEIGH)
})

test('does not restore earlier content to a sign that restarted after an unanswered command', async () => {
  const { first, enable, groupIn, unsettled, wait } = await scene()
  await enable()
  const speak = loseActivation(first)
  await enable(2)
  first.restart()
  speak()
  wait(LATER_MS)
  await until(async () => (await groupIn())?.vms[0]?.vmsStatus.available)
  await polled(first)
  expect(first.state.activated).toEqual([WEIGH, SLOW])
  expect(first.shows()).toBe('')
  expect(await unsettled()).toBe(1)
  expect((await groupIn())?.vms.map(({ asOrdered }) => asOrdered)).toEqual([false, true])
  // The next command settles it.
  await enable(2)
  expect(first.shows()).toBe(SLOW)
  expect(await unsettled()).toBe(0)
  expect((await groupIn())?.vms.map(({ asOrdered }) => asOrdered)).toEqual([true, true])
  // Another centre changes it.
  first.showForeign('INNE')
  await until(async () => (await groupIn())?.vms[0]?.asOrdered === false)
})

test('a sign with an unusable poll answer is unavailable, with the reason in its status', async () => {
  const { first, groupIn } = await scene()
  first.state.lacksSource = true
  const status = await until(async () => {
    const found = (await groupIn())?.vms[0]?.vmsStatus
    return found?.status.startsWith('Failed to ') && found
  })
  expect(status).toMatchObject({ available: false, condition: 'unavailable', contentDisplayed: null })
})

test('rewrites the message if a sign restarts before its activation', async () => {
  const { first, enable } = await scene()
  let hasRestarted = false
  first.state.before = (kind) => {
    if (kind !== 'activate' || hasRestarted) return
    hasRestarted = true
    first.restart()
  }
  expect((await enable()).body.results.map(({ done }) => done)).toEqual([true, true])
  expect(first.shows()).toBe(WEIGH)
})

test('a new leader settles a command whose leader died before the answer', async () => {
  const { api, first, second, enable, disable, operator, groupId, unsettled, wait } = await scene()
  await enable()
  const other = await quickApi(api)
  const there = other.client(operator.token)
  const enabledThere = async () => (await there.call(vms.groups)).body[0]?.vms.map(({ enabled }) => enabled?.variant)
  const speak = loseActivation(first)
  const command = disable().catch(() => undefined)
  await until(async () => first.shows() === '' && second.shows() === '')
  await api.app.close()
  // Past the deadline of the command: what the sign shows decides.
  wait(LATER_MS)
  speak()
  await until(async () => (await enabledThere())?.[0] === undefined)
  await command
  await polled(first)
  expect(first.state.activated).toEqual([WEIGH, ''])
  await until(async () => (await unsettled()) === 0)

  // Before the deadline the new leader repeats the command, and the client gets its result.
  const third = await quickApi(api)
  const speakAgain = loseActivation(first)
  const waiting = third.client(operator.token).call(vms.enableVariant, { params: { groupId, variantId: 2 } })
  await until(async () => first.shows() === SLOW)
  await other.app.close()
  speakAgain()
  expect((await waiting).body.results.map(({ done }) => done)).toEqual([true, true])
  expect(first.shows()).toBe(SLOW)
})

test('a newer command supersedes one that was not answered', async () => {
  const { first, operator, enable, disable, enabled, unsettled } = await scene()
  const speak = loseActivation(first)
  const command: Promise<unknown>[] = [enable()]
  await until(async () => first.shows() === WEIGH)
  command.push(disable())
  speak()
  await Promise.all(command)
  await polled(first)
  expect(first.shows()).toBe('')
  expect(await enabled()).toEqual([null, null])
  expect(await unsettled()).toBe(0)
  const log = (await operator.call(activity.vmsLogs, { query: DAY })).body.content
  expect(log.filter(({ logoutAt }) => logoutAt === null)).toEqual([])

  // Conversely: the lost command disabled the sign, the newer one enables it.
  await enable()
  const speakAgain = loseActivation(first)
  const askedAgain: Promise<unknown>[] = [disable()]
  await until(async () => first.shows() === '')
  askedAgain.push(enable(2))
  speakAgain()
  await Promise.all(askedAgain)
  await polled(first)
  expect(first.shows()).toBe(SLOW)
  expect((await enabled())?.[0]).toBe(2)
})

/** A variant is enabled on both signs, and a vehicle is on its way to the second. */
async function plateScene() {
  const it = await scene()
  const station = await it.api.station()
  await it.enable()
  await send(station, [car(1)])
  const about = { params: { id: vehicleId(testStation.id, 1) } }
  const show = () => it.operator.call(vms.showPlate, about)
  const status = async () => (await it.operator.call(vms.plateStatus, about)).body
  return { ...it, show, status }
}

test('a plate shown without an answer stays until its vehicle has passed', async () => {
  const { api, second, operator, show, status } = await plateScene()
  const speak = loseActivation(second)
  const { status: code, errors } = await show()
  expect([code, errors[0]?.code]).toEqual([422, 'sign-did-not-answer'])
  expect(second.shows()).toBe(PLATE)
  speak()
  const displayed = await until(async () => {
    const now = await status()
    return now.state === 'displayed' && now
  })
  expect(displayed).toMatchObject({ manageable: true, setBy: { username: operator.username } })
  await polled(second)
  expect(second.state.activated).toEqual([CONTENT, PLATE])
  expect(await api.db.query(sql`select 1 from vms_plate where shown_at is null`)).toHaveLength(0)

  api.clock.now = new Date(Date.parse(displayed.until as string) + 1_000)
  await until(async () => second.shows() === CONTENT)
  await until(async () => !(await status()).plateVms.contentDisplayed)
  expect(second.state.activated).toEqual([CONTENT, PLATE, CONTENT])
})

test('a plate that was not shown releases the sign', async () => {
  const { second, show, status, unsettled, wait } = await plateScene()
  const speak = loseActivation(second, false)
  expect((await show()).errors[0]?.code).toBe('sign-did-not-answer')
  // It may still be shown.
  expect((await status()).plateVms.contentDisplayed).toBe(true)
  speak()
  await polled(second)
  wait(LATER_MS)
  await until(async () => !(await status()).plateVms.contentDisplayed)
  expect(second.state.activated).toEqual([CONTENT])
  expect(await unsettled()).toBe(0)
})

test('a sign with a plate stays dark after it was disabled without an answer', async () => {
  const { second, show, status, disable, enabled } = await plateScene()
  expect((await show()).status).toBe(200)
  const speak = loseActivation(second)
  expect((await disable()).body.results[1]?.error?.code).toBe('sign-did-not-answer')
  speak()
  await until(async () => (await enabled())?.[1] === null)
  await until(async () => !(await status()).plateVms.contentDisplayed)
  await polled(second)
  expect(second.state.activated).toEqual([CONTENT, PLATE, ''])
})

test('clears a plate to a dark sign if disabling its group was not obeyed', async () => {
  const { second, show, status, disable, enabled } = await plateScene()
  await show()
  const speak = loseActivation(second, false)
  await disable()
  expect(second.shows()).toBe(PLATE)
  speak()
  await until(async () => second.shows() === '')
  await until(async () => !(await status()).plateVms.contentDisplayed)
  await until(async () => (await enabled())?.[1] === null)
  expect(second.state.activated).toEqual([CONTENT, PLATE, ''])
})

test.each(['writable', 'read-only', 'missing'] as const)(
  'beacon and pixel service set by another centre do not block a command: columns %s',
  async (options) => {
    const { first, enable } = await scene()
    first.state.options = options
    Object.assign(first.state.row, { beacon: 1, pixels: 1 })
    expect((await enable()).body.results.map(({ done, error }) => [done, error])).toEqual([
      [true, null],
      [true, null],
    ])
    expect(first.shows()).toBe(WEIGH)
    const { beacon, pixels } = first.state.row
    expect([beacon, pixels]).toEqual(options === 'writable' ? [0, 0] : [1, 1])
  },
)

test('names local control as the reason if it starts during a command', async () => {
  const { first, enable, disable, enabled } = await scene()
  first.state.locksWhenLocal = true
  first.state.before = (kind) => {
    if (kind === 'set') first.state.mode = LOCAL
  }
  expect((await enable()).body.results.map(({ error }) => error?.code)).toEqual(['sign-in-local-control', undefined])
  expect((await disable()).body.results.map(({ error }) => error?.code)).toEqual(['sign-in-local-control', undefined])
  expect(first.state.activated).toEqual([])
  expect(await enabled()).toEqual([null, null])
})
