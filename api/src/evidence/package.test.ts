import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as archive from '@rogatka/contract/archive.ts'
import * as current from '@rogatka/contract/current.ts'
import { stampDocument } from '@rogatka/contract/evidence.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { expect, test } from 'vitest'
import type { Config } from '../config.ts'
import { sql } from '../core/statement.ts'
import { jpeg, sendImage } from '../ingest/testing.ts'
import { inspectionScene, lorry, MEASURED_AT, open, runJob } from '../inspections/testing.ts'
import { fetchReport, unzipFiles } from '../reports/testing.ts'
import { type Client, eventually, type TestApi, testApi } from '../testing/test-api.ts'
import { sealPassages } from './passages.ts'
import { listAuditLines } from './proofs.ts'
import { sealLogs } from './sealing.ts'
import { hasProgram, signingSettings } from './testing.ts'
import { startAuthority } from './testing-authority.ts'
import { commandsIn, failing, flipped, isRunnable, rezip, runCommand, unpack, verified } from './testing-package.ts'
import { signatureTexts } from './texts.ts'

/** Runs many programs, or makes many packages. */
const MANAGE = fileURLToPath(new URL('../manage.ts', import.meta.url))
const key = { id: vehicleId(7, 1), locationId: 7, createdAt: MEASURED_AT }

async function packageOf(user: Client, language = 'pl'): Promise<Record<string, Buffer>> {
  const headers = { 'accept-language': language }
  const { status, body } = await user.call(archive.report, { query: { ...key, reportType: 'zip' }, headers })
  expect(status).toBe(200)
  const file = await fetchReport(user, body)
  expect([file.status, file.headers['content-type']]).toEqual([200, 'application/zip'])
  return unzipFiles(file.bytes)
}

/** An inspected lorry with two images of two minutes. */
async function scene(settings: Partial<Config>) {
  const api = await testApi(settings)
  const { station } = await inspectionScene(api, 1)
  await sendImage(station, lorry(1), 'front', await jpeg(20, 320))
  const inspector = await api.as('Inspections', 'ArchiveMeasurements')
  const { number } = await open(inspector, 1)
  api.clock.now = new Date('2026-10-20T08:01:30Z')
  await sendImage(station, lorry(1), 'plate', await jpeg(40, 120))
  await sealLogs(api.db)
  expect(await listAuditLines(api.db, number)).toHaveLength(1)
  return { api, inspector, number }
}

/** Seals what was received, and makes an anchor. */
async function sealAndAnchor(api: TestApi): Promise<void> {
  api.clock.now = new Date('2026-10-20T08:04:00Z')
  await eventually(async () => {
    await sealPassages(api.db, api.clock.now)
    expect(await api.db.query(sql`select from passage_seal`)).toHaveLength(2)
  })
  await runJob(api, 'anchor-chains')
}

test('a package has what proves a vehicle, and public programs find each changed byte', async () => {
  const { evidence } = await signingSettings()
  const authority = await startAuthority(() => api.clock.now)
  const { api, inspector, number } = await scene({ evidence, stamps: authority.stamps })
  await sealAndAnchor(api)
  const files = await packageOf(inspector)
  expect(Object.keys(files)).toEqual([
    'sheet.pdf',
    '1_front.jpg',
    '2_plate.jpg',
    'passage.json',
    'seal.txt',
    'seals/000000002.txt',
    'anchor.txt',
    'audit.jsonl',
    'audit.links',
    'certificates/signer.pem',
    'certificates/ca.pem',
    'certificates/tsa.pem',
    'VERIFY.txt',
    'manifest.sha256',
    'manifest.tsr',
  ])
  expect([files['1_front.jpg'], files['2_plate.jpg']]).toEqual([await jpeg(20, 320), await jpeg(40, 120)])
  expect(JSON.parse(files['passage.json']?.toString() ?? '')).toMatchObject({ ...key, plateLpr: 'WX10001' })
  expect(JSON.parse(files['audit.jsonl']?.toString() ?? '')).toMatchObject({
    action: 'inspection-announced',
    subject: number,
    userId: inspector.userId,
  })

  const folder = await unpack(files)
  const commands = commandsIn(files['VERIFY.txt'])
  expect(commands.length).toBeGreaterThan(10)
  for (const command of commands) {
    if (!isRunnable(command)) continue
    const { holds, said } = await runCommand(command, folder)
    expect([command, holds, said]).toEqual([command, true, said])
  }

  const find = (...words: string[]) => commands.filter((command) => words.some((word) => command.startsWith(word)))
  const hashes = 'sha256sum'
  const changes: [name: string, at: number, expected: string[]][] = [
    ['sheet.pdf', 500, find(hashes, 'pdfsig', 'openssl cms')],
    ['1_front.jpg', 300, [...find(hashes), ...commands.filter((command) => command.includes('< 1_front.jpg'))]],
    ['passage.json', 40, [...find(hashes), ...commands.filter((command) => command.includes('< passage.json'))]],
    ['audit.jsonl', 20, find(hashes, 'paste')],
    ['audit.links', 100, find(hashes, 'paste')],
    ['seals/000000002.txt', 70, find(hashes, '(p=')],
    ['manifest.sha256', 10, find(hashes, 'openssl ts')],
  ]
  for (const [name, at, expected] of changes) {
    await writeFile(join(folder, name), flipped(files[name], at))
    expect([name, await failing(folder, commands)]).toEqual([name, expected.filter(isRunnable)])
    await writeFile(join(folder, name), files[name] as Buffer)
  }
  expect(await failing(folder, commands)).toEqual([])
})

test('the portal names each place where a package differs, and adds a stamp that came later', async () => {
  const { evidence } = await signingSettings()
  const authority = await startAuthority(() => api.clock.now)
  const { api, inspector } = await scene({ evidence, stamps: authority.stamps })
  await sealAndAnchor(api)
  authority.behaviour.fault = 'status'
  const files = await packageOf(inspector)
  expect(Object.keys(files)).not.toContain('manifest.tsr')
  const whole = await verified(inspector, rezip(files))
  const found = {
    ...{ files: 13, differences: [], stamp: 'pending', stampedAt: null },
    ...{ seal: { locationId: 7, number: 1 }, notSealed: [], anchor: 1, auditEntries: 1 },
  }
  expect(whole).toMatchObject({ differences: [], certificate: { isTrusted: true }, stamp: 'pending', package: found })

  const faults = async (changes: Record<string, Buffer | null>) => {
    const changed = Object.entries({ ...files, ...changes }).filter(([, content]) => content !== null)
    const { differences, package: result } = await verified(
      inspector,
      rezip(Object.fromEntries(changed) as typeof files),
    )
    return [...differences, ...(result?.differences ?? []).map(({ name, fault }) => `${name} ${fault}`)]
  }
  const other = await jpeg(99, 320)
  const relisted = (name: string, content: Buffer) => {
    const list = files['manifest.sha256']?.toString() ?? ''
    const digest = (bytes: Buffer | undefined) =>
      createHash('sha256')
        .update(bytes ?? '')
        .digest('hex')
    return { [name]: content, 'manifest.sha256': Buffer.from(list.replace(digest(files[name]), digest(content))) }
  }
  expect(await faults({ 'sheet.pdf': flipped(files['sheet.pdf'], 500) })).toEqual(['content', 'sheet.pdf changed'])
  expect(await faults({ '1_front.jpg': null })).toEqual(['1_front.jpg missing'])
  expect(await faults({ 'note.txt': other })).toEqual(['note.txt not-listed'])
  // Also where the list of hashes was made again.
  expect(await faults(relisted('1_front.jpg', other))).toEqual(['1_front.jpg not-in-seal'])
  expect(await faults(relisted('passage.json', flipped(files['passage.json'], 40)))).toEqual([
    'passage.json not-in-seal',
  ])
  expect(await faults(relisted('audit.jsonl', flipped(files['audit.jsonl'], 20)))).toEqual(['audit.jsonl not-linked'])
  expect(await faults(relisted('anchor.txt', flipped(files['anchor.txt'], 40)))).toEqual(['anchor.txt not-in-anchor'])
  const lastSeal = files['seals/000000002.txt'] as Buffer
  expect(await faults(relisted('seals/000000002.txt', flipped(lastSeal, 70)))).toEqual([
    'seals/000000002.txt not-linked',
  ])
  // The digest of the second image.
  expect(await faults(relisted('seals/000000002.txt', flipped(lastSeal, lastSeal.length - 10)))).toEqual([
    '2_plate.jpg not-in-seal',
    'anchor.txt not-in-anchor',
    'seals/000000002.txt other-in-portal',
  ])
  const damaged = rezip(files).subarray(0, -30)
  expect((await verified(inspector, damaged)).package?.differences).toEqual([
    { name: 'manifest.sha256', fault: 'missing' },
  ])

  const add = async (payload: Buffer) =>
    inspector.call(stampDocument, { payload, headers: { 'content-type': 'application/octet-stream' } })
  expect((await add(rezip(files))).errors[0]?.code).toBe('stamp-pending')
  expect((await add(damaged)).errors[0]?.code).toBe('document-not-signed')
  authority.behaviour.fault = null
  api.clock.now = new Date('2026-10-20T08:05:00Z')
  await runJob(api, 'stamp-evidence')
  expect((await verified(inspector, rezip(files))).package?.stamp).toBe('available')
  const added = await add(rezip(files))
  expect(added.headers['content-type']).toBe('application/zip')
  const { 'manifest.tsr': stamp, ...others } = unzipFiles(added.bytes)
  expect(others).toEqual(files)
  expect((await verified(inspector, added.bytes)).package).toEqual({
    ...{ ...found, stamp: 'valid', stampedAt: '2026-10-20T08:05:00.000Z' },
  })
  expect(await faults({ 'manifest.tsr': flipped(stamp, 300) })).toEqual(['manifest.tsr stamp'])

  // The command needs neither the database nor settings.
  const folder = await unpack({ ...others, 'manifest.tsr': stamp as Buffer, 'whole.zip': added.bytes })
  const given = ['--ca', evidence.chain, '--tsa-ca', authority.ca]
  const manage = (...words: string[]) =>
    runCommand([process.execPath, MANAGE, 'verify', 'evidence', '--file', ...words].join(' '), folder)
  const { holds, said } = await manage('whole.zip', ...given)
  expect([holds, said.trim().split('\n')]).toEqual([
    true,
    [
      'sheet.pdf: the signature holds',
      expect.stringMatching(/^sheet.pdf: signed by CN=Zarząd Dróg Testowych, certificate \w+, trusted by --ca$/),
      'sheet.pdf: time stamp: none',
      'manifest.sha256: 13 files hold',
      'manifest.sha256: time stamp: 2026-10-20T08:05:00.000Z, trusted by --tsa-ca',
      'seal.txt: seal 1 of station 7',
      'anchor.txt: anchor 1',
      'audit.jsonl: 1 entries',
    ],
  ])
  await writeFile(join(folder, 'changed.zip'), rezip({ ...files, '1_front.jpg': other }))
  const changedZip = await manage('changed.zip')
  expect(changedZip.holds).toBe(false)
  expect(changedZip.said).toContain(
    '1_front.jpg: it was changed since the package was made\n1_front.jpg: no seal of the package has it',
  )
  expect(changedZip.said).toContain('not compared with a certificate: give --ca')
  await writeFile(join(folder, 'changed.pdf'), flipped(files['sheet.pdf'], 500))
  const inSheet = await manage('changed.pdf', ...given)
  expect([inSheet.holds, inSheet.said.split('\n')[0]]).toEqual([false, 'document: the content was changed'])
  const stranger = await manage('sheet.pdf', '--ca', authority.ca)
  expect([stranger.holds, stranger.said]).toEqual([
    false,
    expect.stringContaining('not issued by a certificate of --ca'),
  ])
  if (!hasProgram('openssl')) return
  const commands = commandsIn(files['VERIFY.txt']).filter((command) => command.startsWith('openssl ts'))
  expect([commands.length, await failing(folder, commands)]).toEqual([1, []])
})

test('a package says what it does not have yet, in the language of the user', async () => {
  const { api, number } = await scene({})
  const user = await api.as('CurrentMeasurements', 'ArchiveMeasurements')
  for (const language of ['pl', 'en', 'lt', 'de', 'ro'] as const) {
    const files = await packageOf(user, language)
    const names = ['sheet.pdf', '1_front.jpg', '2_plate.jpg', 'passage.json', 'VERIFY.txt', 'manifest.sha256']
    expect(Object.keys(files)).toEqual(names)
    const guide = files['VERIFY.txt']?.toString().replace(/\s+/g, ' ')
    const { package: texts } = signatureTexts(language)
    for (const text of [texts.unsigned, texts['no-stamps'], texts['not-sealed'], texts['no-audit']])
      expect(guide).toContain(text)
    expect(commandsIn(files['VERIFY.txt'])).toEqual(['sha256sum --strict -c manifest.sha256'])
    const { package: result } = await verified(user, rezip(files))
    expect(result).toMatchObject({ differences: [], seal: null, anchor: null, auditEntries: 0, stamp: 'none' })
  }
  // Sealed, but in no anchor; the entries about the inspection are for those who may open it.
  api.clock.now = new Date('2026-10-20T08:03:10Z')
  await eventually(async () => {
    await sealPassages(api.db, api.clock.now)
    expect(await api.db.query(sql`select from passage_seal`)).toHaveLength(1)
  })
  const files = await packageOf(await api.as('ArchiveMeasurements', 'InspectionReview'), 'en')
  const guide = files['VERIFY.txt']?.toString().replace(/\s+/g, ' ')
  expect(guide).toContain('The seal was not in an anchor yet')
  expect(guide).toContain('No seal in this package has these photos: 2_plate.jpg')
  expect(files['audit.jsonl']?.toString()).toContain(number)
  expect((await verified(user, rezip(files))).package).toMatchObject({ differences: [], notSealed: ['2_plate.jpg'] })

  // A vehicle that was stored before there were records.
  await api.db.execute(sql`update vehicle_detail set evidence = null`)
  expect((await packageOf(user, 'en'))['VERIFY.txt']?.toString()).toContain('version of the portal without')
})

test('a package needs a user who was verified recently and sees plates; the sheet does not', async () => {
  const { api } = await scene({})
  const user = await api.as('CurrentMeasurements', 'ArchiveMeasurements')
  const masked = await api.withPermissions(['ROLE_1', 'ROLE_2', 'ROLE_37'])
  const order = async (client: Client, reportType: 'pdf' | 'zip') => {
    const params = { id: key.id }
    const answers = [
      await client.call(archive.report, { query: { ...key, reportType } }),
      await client.call(current.report, { params, query: { createdAt: key.createdAt, reportType } }),
    ]
    return answers.map(({ status, errors }) => errors?.[0]?.code ?? status)
  }
  expect(await order(user, 'zip')).toEqual([200, 200])
  expect(await order(masked, 'zip')).toEqual(['forbidden', 'forbidden'])
  expect(await order(masked, 'pdf')).toEqual([200, 200])
  const { body } = await user.call(archive.report, { query: { ...key, reportType: 'zip' } })
  api.clock.now = new Date(api.clock.now.getTime() + 11 * 60_000)
  expect(await order(user, 'zip')).toEqual(['step-up-required', 'step-up-required'])
  expect(await order(user, 'pdf')).toEqual([200, 200])
  // A role that changes between the link and its file.
  expect((await fetchReport(user, body)).status).toBe(200)
  await api.db.execute(sql`update role set permissions = permissions || '{ROLE_37}' where name = ${user.username}`)
  await api.db.execute(sql`select pg_notify('session_changed', '')`)
  await eventually(async () => expect((await fetchReport(user, body)).status).toBe(403))
})
