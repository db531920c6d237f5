import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, resetPassword } from '@rogatka/contract/session.ts'
import * as tickets from '@rogatka/contract/tickets.ts'
import { expect, onTestFinished } from 'vitest'
import { readConfig } from '../../config.ts'
import { sql } from '../../core/statement.ts'
import { type TestApi, testApi } from '../test-api.ts'

/** Values of environment variables. */
export type Env = Record<string, string>

/** The problem that `addTicket` reports. */
const REPORT = { description: 'Nie działa waga', reporterName: 'Anna Nowak', reporterEmail: 'anna@example.org' }

const JSON_TYPE = { 'content-type': 'application/json' }

/** The server with only these environment variables. */
export const configured = (env: Env, share?: Parameters<typeof testApi>[1]) =>
  testApi({ ...readConfig({ LOG_LEVEL: 'silent', ...env }), demo: false }, share)

/** A folder that is deleted after the test. */
export const createFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rogatka-config-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Requests a reset mail for a user with this address. */
export async function requestReset(api: TestApi) {
  const user = await api.as('Stat')
  await api.db.execute(sql`update app_user set email = 'anna@example.org' where id = ${user.userId}`)
  expect((await api.anyone.call(resetPassword, { body: { email: 'anna@example.org' } })).status).toBe(204)
  await api.runJobs()
}

export const SECRET_KEY = '0f'.repeat(32)
/** The time of test portals. */
export const NOW = Date.parse('2026-10-20T08:00:00Z')
export const daysBefore = (count: number) => new Date(NOW - count * 86_400_000).toISOString()

/** Replaces a placeholder in braces by an address or folder of the test. */
export const filled = (env: Env, name: string, text: string): Env =>
  Object.fromEntries(Object.entries(env).map(([key, value]) => [key, value.replace(`{${name}}`, text)]))

/** What everybody may know of a portal with these variables. */
export const shownToAll = async (env: Env) => (await (await configured(env)).anyone.call(build)).body

/** Reports a problem; returns its reporter. */
export async function addTicket(api: TestApi) {
  const user = await api.as('Tickets')
  await user.call(tickets.add, { payload: JSON.stringify(REPORT), headers: JSON_TYPE })
  return user
}

/** The base of the link in the reset mail. */
export async function linkIn(api: TestApi) {
  await requestReset(api)
  return /^(http\S*?)reset-password/m.exec(api.sent[0]?.text ?? '')?.[1]
}
