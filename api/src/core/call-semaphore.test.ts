import { deviation, list } from '@rogatka/contract/calibration.ts'
import { stat, report as statisticsReport } from '@rogatka/contract/statistics.ts'
import { report as figuresReport, summary } from '@rogatka/contract/statistics-distributions.ts'
import { health } from '@rogatka/contract/tickets-health.ts'
import { expect, onTestFinished, test } from 'vitest'
import { car, send } from '../ingest/testing.ts'
import { fetchReport } from '../reports/testing.ts'
import { type Client, testApi } from '../testing/test-api.ts'
import { connect } from './database.ts'
import { raw } from './statement.ts'

const RANGE = { dateTimeStart: '2026-10-20T00:00:00Z', dateTimeEnd: '2026-10-21T00:00:00Z', locations: '7' }
// Yesterday is read from the roll-ups.
const DAYS = { from: '2026-10-19', until: '2026-10-20', locations: '7' }
const HOURS = { statResolutionUnit: 'hour', statResolutionValue: 1 } as const

/** Expensive requests, each with a table that it reads and authentication does not. */
const CALLS = {
  statistics: ['traffic_hour', (user: Client) => user.call(stat, { query: { ...RANGE, ...HOURS } })],
  'calibration loads': [
    'vehicle_detail',
    (user: Client) => user.call(list, { query: { ...RANGE, statResolutionValue: 24 } }),
  ],
  'calibration deviations': ['vehicle_detail', (user: Client) => user.call(deviation, { query: RANGE })],
  'station health': ['station_check', (user: Client) => user.call(health)],
  'statistics and a report of them': [
    'traffic_hour',
    async (user: Client, call = 1) =>
      call > 0
        ? user.call(stat, { query: { ...RANGE, ...HOURS } })
        : fetchReport(user, (await user.call(statisticsReport, { query: { ...RANGE, ...HOURS } })).body),
  ],
  'traffic figures and a report of them': [
    'speed_total_day',
    async (user: Client, call = 1) =>
      call > 0
        ? user.call(summary, { query: DAYS })
        : fetchReport(user, (await user.call(figuresReport, { query: DAYS })).body),
  ],
} as const

test.each(Object.entries(CALLS))(
  '%s: queues concurrent requests of one user, and refuses them if the queue is full',
  async (_, [table, call]) => {
    const api = await testApi()
    await send(await api.station(), [car(1)])
    const user = await api.as('Stat', 'UserManagement', 'UsersAdmin')
    const other = await api.as('Stat', 'UserManagement', 'UsersAdmin')
    const outside = connect(api.url, 1)
    onTestFinished(() => outside.end(1_000))
    const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const locking = outside.transaction(async (db) => {
      await db.execute(raw(`lock table ${table} in access exclusive mode`))
      locked.resolve()
      await released.promise
    })
    await locked.promise

    // Two run and 16 wait.
    const calls = Array.from({ length: 19 }, (_, index) => call(user, index))
    const refused = await Promise.race(calls)
    expect([refused.status, refused.errors[0]?.code]).toEqual([503, 'unavailable'])
    expect(refused.headers['retry-after']).toBe('5')

    const ofOther = call(other)
    released.resolve()
    await locking
    expect((await ofOther).status).toBe(200)
    const statuses = (await Promise.all(calls)).map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array(18).fill(200), 503])
  },
)
