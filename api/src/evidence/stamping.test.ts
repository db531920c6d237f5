import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { availabilityReport } from '@rogatka/contract/tickets-health.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { extractPages, fetchReport } from '../reports/testing.ts'
import { type Client, type TestApi, testApi } from '../testing/test-api.ts'
import { findStamp, requestStamp } from './stamp-queries.ts'
import { hasProgram, rangesOf, run, signingSettings, verifySignature } from './testing.ts'
import { type Fault, startAuthority, startOpensslAuthority } from './testing-authority.ts'

const START = new Date('2026-10-20T08:00:00Z')

async function reportOf(user: Client): Promise<Buffer> {
  const query = { year: 2026, month: 9, reportType: 'pdf' } as const
  const { body } = await user.call(availabilityReport, { query })
  return (await fetchReport(user, body)).bytes
}

/** The time stamp in the signature, and the signature that it stamps, both as pkijs reads them. */
async function stampOf(pdf: Buffer) {
  const { holds, signed } = await verifySignature(pdf)
  const [signer] = signed.signerInfos
  const attributes = signer?.unsignedAttrs?.attributes ?? []
  const [stamp] = attributes.filter(({ type }) => type === '1.2.840.113549.1.9.16.2.14')
  const value = Buffer.from(signer?.signature.valueBlock.valueHexView ?? [])
  return { holds, token: stamp ? Buffer.from(stamp.values[0].toBER()) : null, value }
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
const runStamps = (api: TestApi) =>
  api.app.jobs.recurring.find(({ name }) => name === 'stamp-evidence')?.work() ?? Promise.reject(new Error('no job'))
const rowsOf = (api: TestApi) =>
  api.db.query<{ attempts: number; error: string | null; wait: number | null }>(sql`
    select attempts, error, (extract(epoch from next_at - ${api.clock.now}::timestamptz) / 60)::int as wait
    from stamp_request order by id`)

test('a document gets its time stamp at once, in the signature, without a change of a signed byte', async () => {
  const { evidence } = await signingSettings()
  const authority = await startAuthority(() => START)
  const api = await testApi({ evidence, stamps: authority.stamps })
  const user = await api.as('Tickets')
  const pdf = await reportOf(user)
  const { holds, token, value } = await stampOf(pdf)
  expect(holds).toBe(true)
  expect(token).not.toBeNull()
  expect(await findStamp(api.db, sha256(value))).toEqual({ token, stampedAt: START })
  expect((await extractPages(pdf)).join(' ').replace(/\s+/g, ' ')).toContain('Znacznik czasu w toku')
  const { reserved, signature } = rangesOf(pdf)
  expect(reserved.subarray(signature.length).every((byte) => byte === 0)).toBe(true)
  expect(await rowsOf(api)).toEqual([{ attempts: 1, error: null, wait: null }])
})

test('OpenSSL stamps documents and verifies their stamps', async () => {
  if (!hasProgram('openssl')) return
  const { evidence, folder } = await signingSettings()
  const authority = await startOpensslAuthority()
  const api = await testApi({ evidence, stamps: authority.stamps })
  api.clock.now = new Date()
  const pdf = await reportOf(await api.as('Tickets'))
  const { token, value } = await stampOf(pdf)
  expect((await rowsOf(api))[0]?.error).toBeNull()
  const [stamp, signature, sheet] = ['stamp.der', 'signature.bin', 'report.pdf'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  await writeFile(stamp, token as Buffer)
  await writeFile(signature, value)
  await writeFile(sheet, pdf)
  const verify = ['ts', '-verify', '-token_in', '-in', stamp, '-CAfile', authority.ca]
  expect(await run('openssl', [...verify, '-data', signature])).toContain('Verification: OK')
  expect(await run('openssl', [...verify, '-data', sheet])).toContain('FAILED')
  if (hasProgram('pdfsig')) expect(await run('pdfsig', [sheet])).toContain('Signature is Valid')
})

const FAULTS: Fault[] = ['imprint', 'nonce', 'usage', 'chain', 'time', 'refused', 'malformed', 'signature']

test('a document is issued without a valid stamp, which is requested again after 1, 5 and 15 minutes, then hourly', async () => {
  const { evidence } = await signingSettings()
  const authority = await startAuthority(() => api.clock.now)
  const { behaviour } = authority
  const api: TestApi = await testApi({ evidence, stamps: authority.stamps })
  for (const fault of FAULTS) {
    behaviour.fault = fault
    await requestStamp(api.db, sha256(Buffer.from(fault)), 'anchor', api.clock.now)
    await runStamps(api)
    expect((await rowsOf(api)).at(-1)).toEqual({ attempts: 1, error: fault, wait: 1 })
    await api.db.execute(sql`delete from stamp_request`)
  }

  behaviour.fault = 'status'
  const user = await api.as('Tickets')
  const pdf = await reportOf(user)
  const { holds, token, value } = await stampOf(pdf)
  expect([holds, token]).toEqual([true, null])
  expect(await findStamp(api.db, sha256(value))).toBeNull()
  const waits = [(await rowsOf(api))[0]?.wait]
  for (let time = 0; time < 4; time++) {
    await runStamps(api)
    api.clock.now = new Date(api.clock.now.getTime() + (waits.at(-1) ?? 0) * 60_000)
    await runStamps(api)
    waits.push((await rowsOf(api))[0]?.wait)
  }
  expect(waits).toEqual([1, 5, 15, 60, 60])
  // While it fails, the next document does not wait for it.
  const { requests } = behaviour
  await reportOf(await api.as('Tickets'))
  expect(behaviour.requests).toBe(requests)

  behaviour.fault = null
  api.clock.now = new Date(api.clock.now.getTime() + 3_600_000)
  await runStamps(api)
  expect((await rowsOf(api)).map(({ error, wait }) => [error, wait])).toEqual(Array(2).fill([null, null]))
  expect((await findStamp(api.db, sha256(value)))?.stampedAt).toEqual(api.clock.now)
  // The same imprint is not asked for twice.
  await requestStamp(api.db, sha256(value), 'document', api.clock.now)
  expect(await rowsOf(api)).toHaveLength(2)
})

test('asks the next authority, and leaves one that is silent after 3 s', async () => {
  const { evidence } = await signingSettings()
  const [silent, good] = [await startAuthority(() => START), await startAuthority(() => START)]
  silent.behaviour.fault = 'status'
  const stamps = { urls: [silent.url, good.url], ca: good.ca }
  const api = await testApi({ evidence, stamps })
  expect((await stampOf(await reportOf(await api.as('Tickets')))).token).not.toBeNull()
  expect([silent.behaviour.requests, good.behaviour.requests]).toEqual([1, 1])
  silent.behaviour.fault = 'silent'
  expect((await stampOf(await reportOf(await api.as('Tickets')))).token).toBeNull()
  expect((await rowsOf(api)).at(-1)).toEqual({ attempts: 1, error: 'not-reachable', wait: 1 })
})
