import * as archive from '@rogatka/contract/archive.ts'
import { file } from '@rogatka/contract/reports.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { type TestApi, testApi } from '../testing/test-api.ts'

async function runJob(api: TestApi, name: string): Promise<void> {
  await api.app.jobs.recurring.find((job) => job.name === name)?.work()
}

test('the audit entry of an ordered report has its criteria without plates, and its link is deleted once expired', async () => {
  const api = await testApi()
  await api.station()
  const user = await api.as('ArchiveMeasurements')
  const query = {
    dateTimeStart: '2026-10-20T06:00:00Z',
    dateTimeEnd: '2026-10-20T09:00:00Z',
    locations: '7',
    minSpeed: 20,
    reportType: 'csv' as const,
  }
  const ordered = await user.call(archive.report, { query: { ...query, plateLpr: 'WGM4K281' } })
  await user.call(archive.report, { query: { ...query, plates: 'WGM4K281,PO7XA93' } })
  const entries = await api.db.query<{ after: unknown }>(sql`
    select after from audit where action = 'report-ordered' order by id`)
  expect(entries).toMatchObject([1, 2].map(() => ({ after: { reportType: 'csv', search: { minSpeed: 20 } } })))
  expect(JSON.stringify(entries)).not.toMatch(/4K281|7XA93/)
  const params = { token: ordered.body.link.replace('/reports/', '') }
  expect((await user.call(file, { params })).status).toBe(200)

  const links = async () => (await api.db.query(sql`select from report_link`)).length
  await runJob(api, 'delete-expired-report-links')
  expect(await links()).toBe(2)
  api.clock.now = new Date(api.clock.now.getTime() + 15 * 60_000)
  await runJob(api, 'delete-expired-report-links')
  expect(await links()).toBe(0)
})
