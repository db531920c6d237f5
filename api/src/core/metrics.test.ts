import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { addWebhook } from '@rogatka/contract/webhooks.ts'
import { expect, inject, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { car, send } from '../ingest/testing.ts'
import { type TestApi, testApi, testStation } from '../testing/test-api.ts'
import { insertDemoSigns } from '../vms/demo.ts'
import { freePort } from './free-port.ts'
import { sql } from './statement.ts'

/** Tests of the alerts by promtool. */
const TESTS = ['alerts.test.yml', 'alerts.week.test.yml']

const root = join(import.meta.dirname, '../../..')
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')

/** The metrics as exposed: samples by name and labels. */
async function scrape(api: TestApi): Promise<Record<string, number>> {
  const { statusCode, body } = await api.app.api.http.inject('/metrics')
  expect(statusCode).toBe(200)
  const samples = body.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(
    samples.map((line) => {
      const at = line.lastIndexOf(' ')
      return [line.slice(0, at), Number(line.slice(at + 1))]
    }),
  )
}

/** Lets the figures of the database be read again. */
function pass(api: TestApi, seconds: number): void {
  api.clock.now = new Date(api.clock.now.getTime() + seconds * 1_000)
}

test('counts the vehicles that stations send by result, from 0', async () => {
  const api = await testApi()
  const station = await api.station()
  expect(await scrape(api)).toMatchObject({
    'rogatka_vehicles_total{result="accepted"}': 0,
    'rogatka_vehicles_total{result="duplicate"}': 0,
    'rogatka_vehicles_total{result="rejected"}': 0,
    rogatka_ingest_seconds_count: 0,
  })
  await send(station, [car(1), car(2), car(2), { ...car(3), laneNumber: 9 }])
  await send(station, [car(1), car(4)])
  expect(await scrape(api)).toMatchObject({
    'rogatka_vehicles_total{result="accepted"}': 3,
    'rogatka_vehicles_total{result="duplicate"}': 2,
    'rogatka_vehicles_total{result="rejected"}': 1,
    rogatka_ingest_seconds_count: 2,
  })
})

test('shows what is silent, waits or has failed, from the database', async () => {
  const api = await testApi({ secretKey: randomBytes(32) })
  expect(await scrape(api)).toMatchObject({
    rogatka_stations_silent: 0,
    rogatka_signs_unavailable: 0,
    rogatka_webhook_pending: 0,
    rogatka_webhook_oldest_seconds: 0,
    rogatka_outbox_oldest_seconds: 0,
    rogatka_jobs_failed: 0,
    rogatka_jobs_oldest_seconds: 0,
    rogatka_jobs_scheduled_seconds: 0,
    rogatka_clock_difference_seconds: 0,
    rogatka_import_running: 0,
    rogatka_evidence_broken: 0,
    rogatka_sealing_seconds: 0,
    rogatka_anchor_seconds: 0,
    rogatka_partitions_overdue: 0,
  })
  const { db } = api
  const station = await api.station()
  const by = await api.as('Exchange', 'ArchiveMeasurements', 'Vms')
  // No name server has an address of this name.
  const webhook = {
    name: 'GITD',
    url: 'https://receiver.invalid/events',
    events: ['vehicle.overloaded' as const],
    locationIds: null,
    ctg8p1: null,
    minExcess: null,
    plates: false,
  }
  expect((await by.call(addWebhook, { body: webhook })).status).toBe(200)
  const axle = { leftWeight: 9_000, rightWeight: 9_000, gap: 0 }
  const lorry = (sequence: number) => car(sequence, { ctg8p1: 3, axles: [axle, { ...axle, gap: 450 }] })
  await send(station, [lorry(1), lorry(2)])
  await insertDemoSigns(db, [testStation], by.userId, api.clock.now)
  await db.execute(sql`
    insert into outbox (created_at, kind, recipient, language, attempts, last_error)
    values (${new Date(api.clock.now.getTime() - 600_000)}::timestamptz, 'x', 'x', 'pl', 1, 'away'),
           (${new Date(api.clock.now.getTime() - 900_000)}::timestamptz, 'x', 'x', 'pl', 0, null)`)
  const [failed] = await db.query<{ id: number }>(sql`
    select id::int from graphile_worker.add_job('nothing-takes-this')`)
  await db.query(sql`select graphile_worker.permanently_fail_jobs(array[${failed?.id}]::bigint[], 'x')`)
  await db.query(sql`
    select graphile_worker.add_job('nothing-takes-this-either', run_at := now() - interval '5 minutes')`)
  await db.query(sql`select graphile_worker.add_job('nor-this', run_at := now() + interval '1 day')`)
  // A job that runs for the last time has not failed yet.
  await db.query(sql`select graphile_worker.add_job('runs', max_attempts := 1)`)
  await db.execute(sql`
    update graphile_worker._private_jobs set attempts = 1, locked_at = now(), locked_by = 'x' where max_attempts = 1`)
  await db.execute(sql`
    insert into import (id, state, file_name, file_size, sha256, has_file, options, columns, known_count, total_count,
                        created_at, revision, lease_holder, lease_until)
    overriding system value
    values (1, 'running', 'x', 1, '\\x00', true, '{}', '[]', 0, 0, ${api.clock.now}::timestamptz, 0, 'x', now() + interval '1 hour')`)
  await db.execute(sql`
    insert into graphile_worker._private_known_crontabs
    values ('a', now(), now() - interval '10 minutes'), ('b', now(), now() + interval '2 years'), ('c', now(), null)`)
  pass(api, 3_600)
  api.clock.database = true
  const metrics = await scrape(api)
  expect(metrics).toMatchObject({
    rogatka_stations_silent: 1,
    rogatka_webhook_pending: 2,
    rogatka_outbox_oldest_seconds: 4_200,
    rogatka_jobs_failed: 1,
    rogatka_import_running: 1,
    rogatka_evidence_broken: 0,
  })
  expect(metrics.rogatka_signs_unavailable).toBeGreaterThan(0)
  // Since it was sent first, or since the vehicle passed 2 s before.
  expect([3_600, 3_602]).toContain(metrics.rogatka_webhook_oldest_seconds)
  expect(metrics.rogatka_jobs_oldest_seconds).toBeGreaterThan(299)
  expect(metrics.rogatka_jobs_oldest_seconds).toBeLessThan(86_400)
  // The time that a clock in the future has left does not count.
  expect(metrics.rogatka_jobs_scheduled_seconds).toBeGreaterThanOrEqual(600)
  expect(metrics.rogatka_jobs_scheduled_seconds).toBeLessThan(86_400)
  const difference = Math.abs(Date.now() - api.clock.now.getTime()) / 1_000
  expect(Math.abs((metrics.rogatka_clock_difference_seconds as number) - difference)).toBeLessThan(60)
})

test('serves the metrics of the process while the database is unavailable or busy, without unknown values', async () => {
  const api = await testApi()
  expect(await scrape(api)).toHaveProperty('rogatka_jobs_failed')
  const reserved = await Promise.all(Array.from({ length: api.db.max }, () => api.db.reserve()))
  const release = () => {
    for (const connection of reserved.splice(0)) connection.release()
  }
  // Also if the test fails: the server could not stop.
  onTestFinished(release)
  const waiting = [api.db.query(sql`select 1`), api.db.query(sql`select 1`)]
  // Older values are used for a minute.
  pass(api, 60)
  const stale = await scrape(api)
  // Others of the portal may wait, too.
  expect(stale.rogatka_pool_waiting).toBeGreaterThanOrEqual(waiting.length)
  expect(stale.rogatka_jobs_failed).toBe(0)
  pass(api, 60)
  const busy = await scrape(api)
  expect(busy).not.toHaveProperty('rogatka_jobs_failed')
  expect(busy['rogatka_memory_bytes{part="resident"}']).toBeGreaterThan(0)
  release()
  await Promise.all(waiting)
  await expect.poll(() => scrape(api)).toMatchObject({ rogatka_pool_waiting: 0, rogatka_jobs_failed: 0 })

  const restore = await api.loseDatabase()
  pass(api, 120)
  expect(await scrape(api)).not.toHaveProperty('rogatka_stations_silent')
  await restore()
  await expect.poll(() => scrape(api)).toHaveProperty('rogatka_stations_silent', 0)
})

/** Names of metrics in an expression, without the suffixes of histograms. */
const namesIn = (text: string): string[] =>
  [...text.matchAll(/\b(?:rogatka|http|process|nodejs)_[a-z0-9_]+/g)].map(([name]) =>
    name.replace(/_(bucket|count|sum)$/, ''),
  )

type Rules = { groups: { rules: { alert: string; expr: string; annotations: { runbook: string } }[] }[] }
type Panel = { title: string; type: string; datasource?: { uid: string }; targets?: { expr: string }[] }
type Dashboard = { uid: string; id?: number; panels: Panel[]; templating: { list: { name: string; type: string }[] } }

test('alerts, dashboard and documentation name the metrics that there are', async () => {
  const api = await testApi({
    mqtt: { host: '127.0.0.1', port: await freePort(), certificate: null },
    replica: { url: inject('databaseServer'), lagMs: 1_000 },
  })
  const known = api.app.api.metrics.registry.getMetricsAsArray().map(({ name }) => name)
  const rules = (parse(textOf('deploy/prometheus/alerts.yml')) as Rules).groups.flatMap((group) => group.rules)
  const { panels, ...dashboard } = JSON.parse(textOf('deploy/grafana/rogatka.json')) as Dashboard
  const shown = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  for (const texts of [rules.map(({ expr }) => expr), shown]) {
    const names = namesIn(texts.join('\n'))
    expect(names.length).toBeGreaterThan(10)
    expect(names.filter((name) => !known.includes(name))).toEqual([])
  }
  const own = known.filter((name) => name.startsWith('rogatka_'))
  const documented = new Set(textOf('docs/operations.md').match(/rogatka_[a-z_]+/g))
  expect(own.filter((name) => !documented.has(name))).toEqual([])
  expect([...documented].filter((name) => !known.includes(name))).toEqual([])
  // Every alert is explained, and the file of tests tries it.
  const tried = TESTS.map((file) => textOf(`deploy/prometheus/${file}`)).join()
  const guide = textOf('docs/telemetry.md')
  for (const { alert, annotations } of rules) {
    expect(guide).toContain(`| \`${alert}\` |`)
    expect(tried).toContain(alert)
    expect(annotations.runbook).toBe('docs/telemetry.md#alerts')
  }
  // The dashboard runs with any Prometheus, and can be imported beside others.
  expect([dashboard.uid, dashboard.id]).toEqual(['rogatka', undefined])
  expect(dashboard.templating.list).toContainEqual(expect.objectContaining({ name: 'DS', type: 'datasource' }))
  for (const { title, type, datasource } of panels)
    if (type !== 'row') expect([title, datasource?.uid]).toEqual([title, '$' + '{DS}'])
})

const { PROMTOOL } = process.env
if (!PROMTOOL) console.info('alerts: not tested by promtool, which PROMTOOL names')

test.runIf(PROMTOOL)('promtool accepts configuration and alerts, and their tests pass', async () => {
  const run = (...args: string[]) =>
    promisify(execFile)(PROMTOOL as string, args, { cwd: join(root, 'deploy/prometheus') })
  expect((await run('check', 'config', 'prometheus.yml')).stdout).toContain('SUCCESS')
  expect((await run('check', 'rules', 'alerts.yml')).stdout).toContain('SUCCESS')
  for (const file of TESTS) expect((await run('test', 'rules', file)).stdout).toContain('SUCCESS')
})
