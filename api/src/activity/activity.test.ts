import * as endpoints from '@rogatka/contract/activity.ts'
import { list as liveList } from '@rogatka/contract/current.ts'
import * as reports from '@rogatka/contract/reports.ts'
import { login, logout, resetPassword } from '@rogatka/contract/session.ts'
import * as users from '@rogatka/contract/users.ts'
import { expect, test } from 'vitest'
import { raw, sql } from '../core/statement.ts'
import { extractPages, fetchReport, parseCsv, readSheets, unzipFiles } from '../reports/testing.ts'
import { type Client, PASSWORD, type TestApi, testApi, testStation } from '../testing/test-api.ts'

const range = (api: TestApi) => ({
  dateTimeStart: new Date(api.clock.now.getTime() - 3_600_000).toISOString(),
  dateTimeEnd: new Date(api.clock.now.getTime() + 3_600_000).toISOString(),
})

test('records login and logout as one visit with user and IP address', async () => {
  const api = await testApi()
  const manager = await api.withPermissions(['ROLE_20'])
  const user = await api.as('Stat')
  const { body } = await api.anyone.call(login, { body: { username: user.username, password: PASSWORD } })
  const loginAt = api.clock.now.toISOString()
  api.clock.now = new Date(api.clock.now.getTime() + 60_000)
  await api.client(body.token).call(logout)

  const { body: history } = await manager.call(endpoints.list, { query: { ...range(api), userId: user.userId } })
  expect(history.totalCount).toBe(2)
  expect(history.content[0]).toMatchObject({
    eventType: 1,
    user: { username: user.username },
    location: null,
    vms: null,
    loginAt,
    logoutAt: api.clock.now.toISOString(),
    ip: '127.0.0.1',
  })
})

test('the history excludes its end, pages in both directions and filters by event type', async () => {
  const api = await testApi()
  const manager = await api.withPermissions(['ROLE_20'])
  const at = (minute: number) => new Date(Date.UTC(2026, 9, 1, 10, minute))
  for (let minute = 0; minute < 12; minute++)
    await api.db.execute(sql`insert into activity (user_id, event_type, created_at, login_at, vms_id)
                  values (${manager.userId}, ${minute % 2 ? 1 : 3}, ${at(minute)}::timestamptz, ${at(minute)}::timestamptz, ${minute % 2 ? null : 5})`)
  const query = { dateTimeStart: at(0).toISOString(), dateTimeEnd: at(11).toISOString() }
  const minutes = (content: { createdAt: string }[]) =>
    content.map(({ createdAt }) => new Date(createdAt).getUTCMinutes())

  const first = (await manager.call(endpoints.list, { query })).body
  expect([first.totalCount, minutes(first.content)]).toEqual([11, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]])
  const last = (await manager.call(endpoints.list, { query: { ...query, page: 3, limit: 4, orderDirection: 'asc' } }))
    .body
  expect(minutes(last.content)).toEqual([8, 9, 10])
  const signs = (await manager.call(endpoints.vmsLogs, { query })).body
  expect([signs.totalCount, signs.content[0]?.vms]).toEqual([6, { id: 5, roadNumber: null, chainage: null }])
  const logins = (await manager.call(endpoints.list, { query: { ...query, eventTypes: '1' } })).body
  expect(logins.totalCount).toBe(5)
})

/**
 * A user who signs in at 10:00 Polish time, opens stations 7, 8 and 9 a minute later and logs out at 10:05, after a visit
 * to station 8 that 0.2.0 recorded at 9:50. Another user opens station 8 at 10:02.
 */
async function visitors() {
  const api = await testApi()
  for (const id of [7, 8, 9]) await api.station({ ...testStation, id, shortName: `S8 km ${id}` })
  const user = await api.as('CurrentMeasurements')
  const other = await api.as('CurrentMeasurements')
  const start = api.clock.now.getTime()
  const at = (minute: number) => new Date(start + minute * 60_000)
  await api.db.execute(sql`
    insert into activity (user_id, event_type, location_id, created_at, login_at, last_seen_at, logout_at, ip)
    values (${user.userId}, 2, 8, ${at(-10)}::timestamptz, ${at(-10)}::timestamptz, ${at(-9)}::timestamptz,
            ${at(-9)}::timestamptz, '127.0.0.1')`)
  api.clock.now = at(1)
  await user.call(liveList, { query: { locations: '9,7,8' } })
  api.clock.now = at(2)
  await other.call(liveList, { query: { locations: '8' } })
  api.clock.now = at(5)
  await user.call(logout)
  const range = { dateTimeStart: at(-60).toISOString(), dateTimeEnd: at(60).toISOString() }
  return { api, manager: await api.withPermissions(['ROLE_20']), user, other, range, at }
}

test('shows one line for each station of a visit, filtered, sorted and paged like other activity', async () => {
  const { manager, user, other, range, at } = await visitors()
  const linesOf = async (query: object) => {
    const { content, totalCount } = (await manager.call(endpoints.list, { query: { ...range, ...query } })).body
    return [
      totalCount,
      ...content.map(({ location, vms, loginAt, logoutAt, createdAt }) => {
        expect([vms, createdAt]).toEqual([null, loginAt])
        const minutes = [loginAt, logoutAt].map((time) => time && (Date.parse(time) - at(0).getTime()) / 60_000)
        return [location?.shortName ?? 'login', ...minutes].join(' ')
      }),
    ]
  }
  const own = ['S8 km 8 -10 -9', 'login 0 5', 'S8 km 7 1 5', 'S8 km 8 1 5', 'S8 km 9 1 5']
  expect(await linesOf({ userId: user.userId, orderDirection: 'asc' })).toEqual([5, ...own])
  expect(await linesOf({ userId: user.userId })).toEqual([5, ...own.toReversed()])
  expect(await linesOf({ userId: user.userId, eventTypes: '2' })).toEqual([4, ...own.toReversed().slice(0, 3), own[0]])
  expect(await linesOf({ userId: user.userId, eventTypes: '1' })).toEqual([1, 'login 0 5'])
  expect(await linesOf({ userId: user.userId, eventTypes: '3' })).toEqual([0])
  expect(await linesOf({ userId: user.userId, eventTypes: '1,2', limit: 2, page: 2 })).toEqual([5, own[2], own[1]])
  expect(await linesOf({ userId: other.userId })).toEqual([2, 'S8 km 8 2 ', 'login 0 '])
  // The start is inclusive, the end exclusive.
  const minute = { dateTimeStart: at(1).toISOString(), dateTimeEnd: at(2).toISOString() }
  expect(await linesOf(minute)).toEqual([3, ...own.toReversed().slice(0, 3)])

  const all = (await manager.call(endpoints.list, { query: { ...range, eventTypes: '2' } })).body.content
  expect(new Set(all.map(({ id }) => id)).size).toBe(5)
  const pages = []
  for (const page of [1, 2, 3, 4]) {
    const query = { ...range, eventTypes: '2', page, limit: 2 }
    pages.push(...(await manager.call(endpoints.list, { query })).body.content)
  }
  expect(pages).toEqual(all)
})

test('exports one line for each station of a visit', async () => {
  const { manager, user, range } = await visitors()
  const expected = ['S8 km 8', '', 'S8 km 7', 'S8 km 8', 'S8 km 9']
  const query = { ...range, userId: user.userId }

  const book = (await manager.call(endpoints.report, { query: { ...query, reportType: 'xlsx' } })).body
  const [sheet] = await readSheets((await fetchReport(manager, book)).bytes)
  const rows = (sheet?.rows ?? []).filter((row) => row[1] === user.username)
  expect(rows.map((row) => row[2] ?? '')).toEqual(expected)

  const printed = (await manager.call(endpoints.report, { query })).body
  const text = (await extractPages((await fetchReport(manager, printed)).bytes)).join(' ')
  expect(text.match(/S8 km \d/g)).toEqual(expected.filter(Boolean))

  const log = (await manager.call(endpoints.userLog, { params: { id: user.userId } })).body
  const files = unzipFiles((await fetchReport(manager, log)).bytes)
  const [, ...lines] = parseCsv(files['activity.csv'] as Buffer)
  expect(lines.map((cells) => cells[2])).toEqual(expected)
})

test('a link to the log of another user is refused once the right is lost, one to the own log is not', async () => {
  const api = await testApi()
  const [manager, user] = [await api.as('UserManagement'), await api.as('Stat')]
  const order = async (id: number) => (await manager.call(endpoints.userLog, { params: { id } })).body
  const links = [await order(user.userId), await order(manager.userId)] as const
  const statuses = async () => {
    const answers: number[] = []
    for (const link of links) answers.push((await fetchReport(manager, link)).status)
    return answers
  }
  expect(await statuses()).toEqual([200, 200])
  await api.db.execute(sql`
    update role set permissions = ${user.permissions}
    where id = (select role_id from user_role where user_id = ${manager.userId})`)
  api.app.api.sessions.clearCache()
  expect(await statuses()).toEqual([403, 200])
})

test('the nightly clean-up deletes ended visits after the retention period, and keeps open ones', async () => {
  const { api, manager, user, other, range } = await visitors()
  const shown = async () => {
    const query = { ...range, eventTypes: '2' }
    const { content } = (await manager.call(endpoints.list, { query })).body
    return content.map((line) => line.user.id)
  }
  const cleanUp = api.app.jobs.recurring.find(({ name }) => name === 'delete-old-history')
  const start = api.clock.now.getTime()
  for (const [days, users] of [
    [729, [other, user, user, user, user]],
    [731, [other]],
  ] as const) {
    api.clock.now = new Date(start + days * 86_400_000)
    await cleanUp?.work()
    api.clock.now = new Date(start)
    expect(await shown()).toEqual(users.map(({ userId }) => userId))
  }
})

test('names each missing end of the range', async () => {
  const api = await testApi()
  const manager = await api.withPermissions(['ROLE_20'])
  const { status, errors } = await manager.call(endpoints.list, { query: {} as never })
  expect(status).toBe(400)
  expect(errors.map(({ path, code }) => [path, code])).toEqual([
    ['dateTimeStart', 'required-parameter-missing'],
    ['dateTimeEnd', 'required-parameter-missing'],
  ])
})

test('names a deleted user in the history and the audit log', async () => {
  const api = await testApi()
  const admin = await api.withPermissions(['ROLE_4', 'ROLE_7', 'ROLE_20'])
  const user = await api.as('Stat')
  await admin.call(users.bulkDelete, { body: [user.userId] })
  const { body } = await admin.call(endpoints.list, { query: { ...range(api), userId: user.userId } })
  expect(body.content[0]?.user.username).toBe(user.username)
  const audited = await admin.call(endpoints.audit, { query: { ...range(api), action: 'user-deleted' } })
  expect(audited.body.content).toMatchObject([
    { subject: user.username, user: { username: admin.username }, after: null },
  ])
})

test('shows pending and sent messages to administrators', async () => {
  const api = await testApi()
  const admin = await api.withPermissions(['ROLE_7'])
  await api.db.execute(sql`update app_user set email = 'a@example.org' where id = ${admin.userId}`)
  await api.anyone.call(resetPassword, { body: { email: 'a@example.org' } })
  const waiting = (await admin.call(endpoints.outbox)).body
  expect(waiting.content).toMatchObject([{ kind: 'password-reset', recipient: 'a@example.org', sentAt: null }])
  await api.runJobs()
  const sent = (await admin.call(endpoints.outbox)).body
  expect(Date.parse(sent.content[0]?.sentAt ?? '')).toBeGreaterThanOrEqual(api.clock.now.getTime())
})

test('exports the history as PDF and XLSX by a link for its user only', async () => {
  const api = await testApi()
  const manager = await api.withPermissions(['ROLE_20'])
  await api.as('Stat')
  const ordered = await manager.call(endpoints.report, { query: { ...range(api), reportType: 'xlsx' } })
  expect(ordered.status).toBe(200)
  const params = { token: ordered.body.link.replace('/reports/', '') }
  const table = await manager.call(reports.file, { params })
  expect(table.headers['content-disposition']).toContain('activity_20_10_2026_10_00_00.xlsx')
  expect(table.bytes.subarray(0, 2).toString()).toBe('PK')

  const other = await api.withPermissions(['ROLE_20'])
  expect((await other.call(reports.file, { params })).status).toBe(404)
  const printed = await manager.call(endpoints.report, { query: range(api) })
  const pdf = await manager.call(reports.file, { params: { token: printed.body.link.replace('/reports/', '') } })
  expect(pdf.bytes.subarray(0, 5).toString()).toBe('%PDF-')
  expect(pdf.bytes.subarray(-6).toString()).toContain('%%EOF')
})

test('exports the log of a user as ZIP to that user and to holders of the right', async () => {
  const api = await testApi()
  const manager = await api.withPermissions(['ROLE_20'])
  const user = await api.as('Stat')
  const order = (caller: Client, id: number) => caller.call(endpoints.userLog, { params: { id } })

  expect((await order(user, manager.userId)).status).toBe(403)
  expect((await order(manager, 999_999)).status).toBe(404)
  expect((await order(manager, user.userId)).status).toBe(200)
  const own = await order(user, user.userId)
  const log = await user.call(reports.file, { params: { token: own.body.link.replace('/reports/', '') } })
  expect(log.headers['content-disposition']).toContain('user_log_20_10_2026_10_00_00.zip')
  for (const name of ['activity.pdf', 'activity.csv', 'changes.csv']) expect(log.bytes.includes(name)).toBe(true)
})

test('audits an export with its query', async () => {
  const api = await testApi()
  const manager = await api.withPermissions(['ROLE_20'])
  await manager.call(endpoints.report, { query: range(api) })
  const { body } = await manager.call(endpoints.audit, { query: { ...range(api), action: 'report-ordered' } })
  expect(body.content).toMatchObject([
    { subject: 'activity', user: { id: manager.userId }, ip: '127.0.0.1', after: { reportType: 'pdf' } },
  ])
})

test('the nightly clean-up deletes only messages settled or never tried for 90 days, and jobs failed for 30', async () => {
  const api = await testApi()
  const at = (daysAgo: number) => new Date(api.clock.now.getTime() - daysAgo * 86_400_000)
  for (const [name, created, sent, attempts] of [
    ['sent long ago', 95, 91, 1],
    ['sent lately', 95, 89, 1],
    ['given up long ago', 91, null, 25],
    ['tried lately', 89, null, 3],
    ['waits for a channel', 89, null, 0],
    ['never tried', 91, null, 0],
  ] as const)
    await api.db.execute(sql`insert into outbox (created_at, kind, recipient, language, sent_at, attempts)
                  values (${at(created)}::timestamptz, 'x', ${name}, 'pl', ${sent === null ? null : at(sent)}::timestamptz, ${attempts})`)
  for (const [name, attempts, days] of [
    ['failed-long-ago', 1, 31],
    ['failed-lately', 1, 29],
    ['waiting', 0, 400],
  ] as const) {
    await api.db.query(sql`select graphile_worker.add_job(${name}, max_attempts := 1)`)
    // The queue uses the clock of the database, which tests do not set.
    await api.db.execute(sql`update graphile_worker._private_jobs j
                  set attempts = ${attempts}, updated_at = now() - make_interval(days => ${days})
                  from graphile_worker._private_tasks t where t.id = j.task_id and t.identifier = ${name}`)
  }
  await api.db.execute(
    sql`insert into audit (at, action, subject) values (${at(3000)}::timestamptz, 'user-added', 'jan')`,
  )

  for (const { name, work } of api.app.jobs.recurring) if (name.startsWith('delete-')) await work()

  const messages = await api.db.query<{ name: string }>(sql`select recipient as name from outbox order by id`)
  expect(messages.map(({ name }) => name)).toEqual(['sent lately', 'tried lately', 'waits for a channel'])
  const jobs = await api.db.query<{ name: string }>(
    sql`select task_identifier as name from graphile_worker.jobs order by id`,
  )
  expect(jobs.map(({ name }) => name)).toEqual(['failed-lately', 'waiting'])
  expect(await api.db.query(sql`select subject from audit`)).toEqual([{ subject: 'jan' }])
})

test('deletes settled messages in batches, even if the history cannot be deleted', async () => {
  const api = await testApi()
  const longAgo = new Date(api.clock.now.getTime() - 3_000 * 86_400_000)
  await api.db.execute(sql`insert into activity (user_id, event_type, created_at, login_at, logout_at)
                values (1, 1, ${longAgo}::timestamptz, ${longAgo}::timestamptz, ${longAgo}::timestamptz)`)
  await api.db.execute(sql`insert into outbox (created_at, kind, recipient, language, sent_at, attempts)
                select ${longAgo}::timestamptz, 'x', 'x', 'pl', ${longAgo}::timestamptz, 1 from generate_series(1, 10001)`)
  await api.db.query(
    raw(`
    create table deletion (messages int);
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
    create trigger refuse before delete on activity execute function refuse();
    create function count_deleted() returns trigger language plpgsql as $$
    begin insert into deletion select count(*) from deleted; return null; end $$;
    create trigger count_deleted after delete on outbox
      referencing old table as deleted execute function count_deleted()`),
  )

  for (const { name, cron } of api.app.jobs.recurring)
    if (cron.endsWith(' 2 * * *')) await api.db.query(sql`select graphile_worker.add_job(${name}, max_attempts := 1)`)
  await api.runJobs()

  expect(await api.db.query(sql`select from activity`)).toHaveLength(1)
  expect(await api.db.query(sql`select from outbox`)).toHaveLength(0)
  const [deletion] = await api.db.query<{ most: number }>(sql`select max(messages) as most from deletion`)
  expect(deletion?.most).toBeLessThanOrEqual(10_000)
})

test('audit entries cannot be changed or deleted', async () => {
  const api = await testApi()
  await api.db.execute(sql`insert into audit (at, action, subject) values (now(), 'user-added', 'jan')`)
  await api.db.execute(sql`update audit set subject = 'ewa'`)
  await api.db.execute(sql`delete from audit`)
  await api.db.execute(sql`delete from app_user`)
  expect(await api.db.query(sql`select subject from audit`)).toEqual([{ subject: 'jan' }])
})
