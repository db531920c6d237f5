import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as archive from '@rogatka/contract/archive.ts'
import { languages } from '@rogatka/contract/languages.ts'
import { searchTrail, setPurpose, trail, trailReport } from '@rogatka/contract/trail.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { car, send } from '../ingest/testing.ts'
import { runJob } from '../inspections/testing.ts'
import { extractPages, fetchReport, unzipFiles } from '../reports/testing.ts'
import { type Client, testApi } from '../testing/test-api.ts'
import { sealLogs } from './sealing.ts'
import { signingSettings } from './testing.ts'
import { startAuthority } from './testing-authority.ts'
import { commandsIn, failing, flipped, isRunnable, rezip, runCommand, unpack, verified } from './testing-package.ts'

/** Runs many programs. */
const DAY = { dateTimeStart: '2026-10-20T00:00:00Z', dateTimeEnd: '2026-10-21T00:00:00Z' }

async function evidenceOf(reader: Client, query: object = {}, language = 'pl'): Promise<Record<string, Buffer>> {
  const headers = { 'accept-language': language }
  const { status, body } = await reader.call(trailReport, { query: { ...DAY, ...query, reportType: 'zip' }, headers })
  expect(status).toBe(200)
  const file = await fetchReport(reader, body)
  expect([file.status, file.headers['content-type']]).toEqual([200, 'application/zip'])
  return unzipFiles(file.bytes)
}

const textOf = async (files: Record<string, Buffer>) =>
  (await extractPages(files['sheet.pdf'] as Buffer)).join(' ').replace(/\s+/g, ' ')

/** Two officers who looked for a plate, one for a case, and a reader of the trail. */
async function scene() {
  const { evidence } = await signingSettings()
  const authority = await startAuthority(() => api.clock.now)
  const api = await testApi({ evidence, stamps: authority.stamps })
  await send(await api.station(), [car(1, { plateLpr: 'WX 12345', createdAt: '2026-10-20T07:59:50.000Z' })])
  const [officer, other] = [await api.as('ArchiveMeasurements'), await api.as('ArchiveMeasurements')]
  await officer.call(setPurpose, { body: { purpose: 'proceedings', reference: 'RSOW 118/2026' } })
  for (const user of [officer, other, officer])
    await user.call(archive.search, { query: { ...DAY, locations: '7', plateLpr: 'WX 12345' } })
  await sealLogs(api.db)
  return { api, officer, other, reader: await api.as('PlateAccess') }
}

test('a package of the trail has search, results and chain, and public programs find each changed byte', async () => {
  const { api, officer, reader } = await scene()
  await runJob(api, 'anchor-chains')
  await runJob(api, 'stamp-evidence')
  const { searchId } = (await reader.call(searchTrail, { body: { plateLpr: 'wx12345' } })).body
  const files = await evidenceOf(reader, { search: searchId, userId: officer.userId })
  expect(Object.keys(files)).toEqual([
    'sheet.pdf',
    'access.jsonl',
    'access.links',
    'anchor.txt',
    'anchor.tsr',
    'certificates/signer.pem',
    'certificates/ca.pem',
    'certificates/tsa.pem',
    'VERIFY.txt',
    'manifest.sha256',
    'manifest.tsr',
  ])
  const lines = (files['access.jsonl'] as Buffer).toString().trimEnd().split('\n')
  const parsed = lines.map((line) => JSON.parse(line))
  expect(parsed.map(({ seq, userName, reference }) => [seq, userName === officer.username, reference])).toEqual([
    [1, true, 'RSOW 118/2026'],
    [2, false, undefined],
    [3, true, 'RSOW 118/2026'],
  ])
  // The sheet has the answer alone; its numbers are those of the chain.
  const text = await textOf(files)
  for (const one of ['Dowód z dziennika', 'WX12345', officer.username, 'RSOW 118/2026', 'Zarząd Dróg Testowych'])
    expect(text).toContain(one)
  expect(text).toContain('wpisy łańcucha od 1 do 3')
  expect(text).not.toContain(parsed[1].userName)
  expect((files['anchor.txt'] as Buffer).toString()).toContain(
    `access 3 ${files['access.links']?.toString().trim().slice(-64)}`,
  )

  const folder = await unpack(files)
  const commands = commandsIn(files['VERIFY.txt'])
  expect(commands.some((command) => command.includes('anchor.txt'))).toBe(true)
  for (const command of commands) {
    if (!isRunnable(command)) continue
    const { holds, said } = await runCommand(command, folder)
    expect([command, holds, said]).toEqual([command, true, said])
  }
  const find = (...words: string[]) => commands.filter((command) => words.some((word) => command.startsWith(word)))
  const removed = Buffer.from(`${[lines[0], lines[2]].join('\n')}\n`)
  const links = (files['access.links'] as Buffer).toString().split('\n')
  const changes: [name: string, content: Buffer, expected: string[]][] = [
    ['sheet.pdf', flipped(files['sheet.pdf'], 500), find('sha256sum', 'pdfsig', 'openssl cms')],
    ['access.jsonl', flipped(files['access.jsonl'], 20), find('sha256sum', 'paste')],
    ['access.links', flipped(files['access.links'], 100), find('sha256sum', 'paste')],
    ['access.jsonl', removed, find('sha256sum', 'paste')],
    ['access.links', Buffer.from(`${[links[0], links[1]].join('\n')}\n`), find('sha256sum', 'paste', 'grep')],
  ]
  for (const [name, content, expected] of changes) {
    await writeFile(join(folder, name), content)
    expect([name, await failing(folder, commands)]).toEqual([name, expected.filter(isRunnable)])
    await writeFile(join(folder, name), files[name] as Buffer)
  }

  // The verification page knows it, and names what differs.
  expect((await verified(reader, rezip(files))).package).toMatchObject({ differences: [], stamp: 'valid' })
  const changed = rezip({
    ...files,
    'access.jsonl': removed,
    'access.links': Buffer.from(`${links[0]}\n${links[2]}\n`),
  })
  expect((await verified(reader, changed)).package?.differences).toContainEqual({
    name: 'access.jsonl',
    fault: 'not-linked',
  })
  // The download is itself a look, with the plate that was asked for.
  const own = (await reader.call(trail, { query: { ...DAY, userId: reader.userId } })).body.content
  expect(own.map(({ kind, plates }) => [kind, plates])).toEqual([['file', ['WX12345']]])
})

test('a package of the trail names in every language what it lacks, and needs its right and step-up', async () => {
  const { api, reader, other } = await scene()
  for (const language of languages) {
    const files = await evidenceOf(reader, {}, language)
    expect(Object.keys(files)).not.toContain('anchor.txt')
    expect(files['VERIFY.txt']?.toString()).not.toContain('{{')
    expect(await textOf(files)).not.toContain('{{')
  }
  const empty = await evidenceOf(
    reader,
    { dateTimeStart: '2026-10-19T00:00:00Z', dateTimeEnd: '2026-10-20T00:00:00Z' },
    'en',
  )
  expect(Object.keys(empty)).not.toContain('access.jsonl')
  expect(empty['VERIFY.txt']?.toString()).toContain('The range has no sealed lines.')

  const order = async (client: Client, query = {}) => {
    const { status, errors } = await client.call(trailReport, { query: { ...DAY, ...query, reportType: 'zip' } })
    return errors?.[0]?.code ?? status
  }
  expect(await order(other)).toBe('forbidden')
  expect(await order(await api.as('PlateAccess', 'Anonymization'))).toBe('forbidden')
  await api.db.execute(sql`
    insert into log_seal (chain, seq, source_id, source_at, hash)
    select 'access', 1000 + n, 1000000 + n, ${new Date('2026-10-20T09:00:00Z')}::timestamptz, sha256('a') from generate_series(1, 10000) n`)
  expect(await order(reader)).toBe('report-too-large')
  api.clock.now = new Date(api.clock.now.getTime() + 11 * 60_000)
  expect(await order(reader)).toBe('step-up-required')
})
