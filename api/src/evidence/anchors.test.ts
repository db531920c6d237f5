import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { list } from '@rogatka/contract/alarms.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { integrity } from '@rogatka/contract/trail.ts'
import { expect, onTestFinished, test } from 'vitest'
import { auditAsSystem } from '../core/audit.ts'
import { raw, sql } from '../core/statement.ts'
import { car, send } from '../ingest/testing.ts'
import { startService } from '../testing/services.ts'
import { eventually, type TestApi, testApi } from '../testing/test-api.ts'
import { verifyAnchorStamps, verifyAnchors, verifyCopies } from './anchors.ts'
import { readAuthorities } from './certificate-store.ts'
import { sealPassages } from './passages.ts'
import { findAnchor, findVehicleSeal, listAuditLines } from './proofs.ts'
import { sealLogs } from './sealing.ts'
import { requestStamp } from './stamp-queries.ts'
import { hasProgram, run, testFolder } from './testing.ts'
import { startOpensslAuthority } from './testing-authority.ts'

const MANAGE = fileURLToPath(new URL('../manage.ts', import.meta.url))

const manage = (api: TestApi, ...words: string[]) => manageWith({}, api, ...words)

const manageWith = (settings: Record<string, string>, { url }: TestApi, ...words: string[]) =>
  new Promise<{ code: number; lines: string[] }>((resolve) => {
    const env = { ...process.env, DATABASE_URL: url, LOG_LEVEL: 'silent', ...settings }
    execFile(process.execPath, [MANAGE, ...words], { env }, (error, output) =>
      resolve({ code: error ? Number(error.code) : 0, lines: output.trim().split('\n') }),
    )
  })

const sealsOf = async ({ db }: TestApi) => {
  const [row] = await db.query<{ count: number }>(sql`select count(*)::int as count from log_seal`)
  return row?.count
}

/** Appends audit entries and seals them; so many are sealed then. */
async function audited(api: TestApi, count: number, all: number): Promise<void> {
  for (let number = 0; number < count; number++)
    await auditAsSystem(api.db, api.clock.now, { action: 'user-added', subject: `jan${number}` })
  await sealLogs(api.db)
  expect(await sealsOf(api)).toBe(all)
}

async function runJob(api: TestApi, name: string): Promise<void> {
  await api.app.jobs.recurring.find((job) => job.name === name)?.work()
}

const anchorsOf = ({ db }: TestApi) =>
  db.query<{ number: number; text: string; isCopied: boolean }>(sql`
    select number, text, copied_at is not null as "isCopied" from evidence_anchor order by number`)

/** The name of the copy of an anchor: its number and the beginning of its SHA-256. */
const copyOf = ({ number, text }: { number: number; text: string }) =>
  `anchor-00000${number}-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.txt`

/** Two anchors of an audit log and a station, copied into a folder. */
async function anchored() {
  const folder = await mkdtemp(join(tmpdir(), 'rogatka-anchors-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const api = await testApi({ evidenceCopy: { folder: join(folder, 'copies') } })
  await runJob(api, 'anchor-chains')
  expect(await anchorsOf(api)).toEqual([])
  await send(await api.station(), [car(1), car(2)])
  api.clock.now = new Date('2026-10-20T08:05:00Z')
  await eventually(async () => {
    await sealPassages(api.db, api.clock.now)
    expect(await api.db.query(sql`select from passage_seal`)).toHaveLength(1)
  })
  await audited(api, 3, 3)
  await runJob(api, 'anchor-chains')
  await audited(api, 2, 5)
  await runJob(api, 'anchor-chains')
  expect(await anchorsOf(api)).toHaveLength(1)
  api.clock.now = new Date('2026-10-21T00:00:00Z')
  await runJob(api, 'anchor-chains')
  return { api, folder: join(folder, 'copies') }
}

test('anchors have the ends of all chains, once a day, and are copied to a folder', async () => {
  const { api, folder } = await anchored()
  const anchors = await anchorsOf(api)
  const [seal] = await api.db.query<{ hash: string; seal: string }>(sql`
    select encode(hash, 'hex') as hash, (select encode(seal, 'hex') from passage_seal) as seal
    from log_seal where seq = 3`)
  expect(anchors[0]).toEqual({
    number: 1,
    isCopied: true,
    text: `anchor 1\nat 2026-10-20T08:05:00.000Z\nprevious ${'0'.repeat(64)}\naudit 3 ${seal?.hash}\npassages 7 1 ${seal?.seal}\n`,
  })
  const names = anchors.map(copyOf)
  expect((await readdir(folder)).sort()).toEqual(names)
  for (const [index, name] of names.entries())
    expect(await readFile(join(folder, name), 'utf8')).toBe(anchors[index]?.text)
  expect(await verifyAnchors(api.db)).toBeNull()
  expect(await verifyCopies(api.db, folder)).toEqual({ copies: 2, incomplete: [], fault: null })

  // What is handed out with a vehicle and with an inspection is verified by sha256sum.
  const sha256sum = (text: string) => execFileSync('sha256sum', { input: text }).toString().slice(0, 64)
  const key = { locationId: 7, createdAt: new Date('2026-10-20T07:59:58.000Z'), id: vehicleId(7, 2) }
  const ofVehicle = await findVehicleSeal(api.db, key)
  expect(ofVehicle).toMatchObject({ number: 1, minute: new Date('2026-10-20T08:00:00.000Z') })
  expect(ofVehicle?.text).toContain(`\n${key.id} 2026-10-20T07:59:58.000Z `)
  expect(sha256sum(ofVehicle?.text ?? '')).toBe(seal?.seal)
  expect(ofVehicle && (await findAnchor(api.db, ofVehicle))).toBe(anchors[0]?.text)
  expect(await findVehicleSeal(api.db, { ...key, id: vehicleId(7, 3) })).toBeNull()
  const ofSubject = await listAuditLines(api.db, 'jan1')
  expect(ofSubject.map(({ seq }) => seq)).toEqual([2, 5])
  for (const { text, previous, hash } of ofSubject) expect(sha256sum(`${previous}\n${text}\n`)).toBe(hash)
  expect(JSON.parse(ofSubject[1]?.text ?? '')).toEqual({
    ...{ action: 'user-added', at: '2026-10-20T08:05:00.000Z', seq: 5, subject: 'jan1' },
  })

  // The end of the chain is cut off, with the anchor that has it; the copy still has it.
  await api.app.close()
  await api.db.query(
    raw(`drop rule audit_is_never_deleted on audit; delete from audit where id > 3; delete from log_seal where seq > 3;
         delete from evidence_anchor where number = 2`),
  )
  expect(await manage(api, 'verify-log', '--anchors', folder)).toMatchObject({
    code: 1,
    lines: [
      expect.stringMatching(/^audit: 3 links hold/),
      expect.stringMatching(/^audit: ends/),
      'access: 0 links hold, 0 lines wait for their seal',
      'visits: 0 links hold, 0 lines wait for their seal',
      'passages: 1 seals of 2 vehicles and images hold',
      'anchors: all hold',
      `copies: ${names[1]}: link 5 of audit is missing, which anchor 2 has`,
    ],
  })
  // Copies of earlier versions have the number alone.
  await writeFile(join(folder, 'anchor-000001.txt'), 'anchor 1\n')
  expect((await verifyCopies(api.db, folder)).fault).toBe('anchor-000001.txt: it is no anchor')
})

/** Changes, and what has to be named. */
const CHANGES: Record<string, string> = {
  "update evidence_anchor set text = replace(text, 'audit 3', 'audit 2') where number = 1": 'anchor 1 was changed',
  "update evidence_anchor set at = at - interval '1 s' where number = 2": 'anchor 2 was changed',
  'delete from evidence_anchor where number = 1': 'anchor 1 is missing',
  'delete from log_seal where seq >= 5': 'link 5 of audit is missing, which anchor 2 has',
  'delete from passage_seal': 'seal 1 of station 7 is missing, which anchor 1 has',
  'update log_seal set hash = sha256(hash) where seq >= 3': 'link 3 of audit has another hash than in anchor 1',
}

test('a chain that contradicts its anchors is found, and the nightly check raises an alarm', async () => {
  const { api } = await anchored()
  const administrator = await api.as('UsersAdmin')
  for (const [statement, fault] of Object.entries(CHANGES)) {
    const rolledBack = new Error('rolled back')
    const found = api.db.transaction(async (db) => {
      await db.query(raw(statement))
      expect(await verifyAnchors(db)).toBe(fault)
      throw rolledBack
    })
    await expect(found).rejects.toBe(rolledBack)
  }
  await runJob(api, 'check-evidence')
  const checks = () => api.db.query(sql`select links, seals, fault from evidence_check order by id`)
  expect(await checks()).toEqual([{ links: 5, seals: 1, fault: null }])

  await api.db.query(raw('update log_seal set hash = sha256(hash) where seq >= 3'))
  await runJob(api, 'check-evidence')
  const fault = expect.stringMatching(
    /^audit: link 3, line 3 of 2026-10-20T08:05:00.000Z: its line or its seal was changed/,
  )
  expect((await checks())[1]).toEqual({ links: 2, seals: 1, fault })
  expect((await api.app.api.http.inject('/metrics')).body).toMatch(/^rogatka_evidence_broken 1$/m)
  await eventually(async () => {
    await api.db.query(sql`select pg_notify('alarms', 'observe')`)
    const { content } = (await administrator.call(list)).body
    expect(content.map(({ kind, priority }) => [kind, priority])).toContainEqual(['evidence-broken', 'low'])
  })
})

test('a check that fails, or is older than two days, does not count as intact', async () => {
  const { api } = await anchored()
  let [administrator, reader] = [await api.as('UsersAdmin'), await api.as('PlateAccess')]
  const metric = async () =>
    /^rogatka_evidence_broken (.*)$/m.exec((await api.app.api.http.inject('/metrics')).body)?.[1]
  const state = async () => {
    const { check, days } = (await reader.call(integrity)).body
    return { fault: check?.fault, today: days.at(-1)?.state }
  }
  const raised = () =>
    eventually(async () => {
      await api.db.query(sql`select pg_notify('alarms', 'observe')`)
      const { content } = (await administrator.call(list)).body
      expect(content.map(({ kind }) => kind)).toContain('evidence-unchecked')
      expect(content.map(({ kind }) => kind)).not.toContain('evidence-broken')
    })
  await runJob(api, 'check-evidence')
  expect([await metric(), await state()]).toEqual(['0', { fault: null, today: 'intact' }])
  await api.db.query(raw('alter table audit rename to audited'))
  await expect(runJob(api, 'check-evidence')).rejects.toThrow('relation "audit" does not exist')
  await api.db.query(raw('alter table audited rename to audit'))
  api.clock.now = new Date(api.clock.now.getTime() + 30_000)
  const failed = 'the check failed: relation "audit" does not exist'
  expect([await metric(), await state()]).toEqual(['1', { fault: failed, today: 'intact' }])
  await raised()
  await runJob(api, 'check-evidence')
  api.clock.now = new Date(api.clock.now.getTime() + 48 * 3_600_000)
  ;[administrator, reader] = [await api.as('UsersAdmin'), await api.as('PlateAccess')]
  expect([await metric(), await state()]).toEqual(['0', { fault: null, today: 'unchecked' }])
  api.clock.now = new Date(api.clock.now.getTime() + 30_000)
  const old = 'no check has ended for two days'
  expect([await metric(), await state()]).toEqual(['1', { fault: old, today: 'unchecked' }])
  await raised()
})

test('anchors are stored below a base URL by PUT, again after a failure, oldest first', async () => {
  let status = 503
  const archive = await startService((response) => response.writeHead(status).end())
  const api = await testApi({ evidenceCopy: { url: `http://user:p%40ss@${archive.address}/anchors/` } })
  await audited(api, 1, 1)
  await expect(runJob(api, 'anchor-chains')).rejects.toThrow('EVIDENCE_COPY: 503')
  expect(await anchorsOf(api)).toMatchObject([{ number: 1, isCopied: false }])
  api.clock.now = new Date('2026-10-21T00:00:00Z')
  status = 201
  await runJob(api, 'anchor-chains')
  await runJob(api, 'anchor-chains')
  const anchors = await anchorsOf(api)
  expect(anchors.map(({ isCopied }) => isCopied)).toEqual([true, true])
  expect(
    archive.requests.map(({ method, path, body, headers }) => [method, path, body, headers.authorization]),
  ).toEqual(
    [1, 1, 2].map((number) => [
      'PUT',
      `/anchors/${copyOf(anchors[number - 1] ?? { number: 0, text: '' })}`,
      anchors[number - 1]?.text,
      `Basic ${Buffer.from('user:p@ss').toString('base64')}`,
    ]),
  )
})

test('copies are created once, never renamed or replaced, and one that exists delays no others', async () => {
  const { api, folder } = await anchored()
  const [first, second] = (await anchorsOf(api)).map(copyOf) as [string, string]
  const uncopied = raw('update evidence_anchor set copied_at = null')
  const isCopied = async () => (await anchorsOf(api)).map(({ isCopied }) => isCopied)
  const inodes = () => Promise.all([first, second].map(async (name) => (await stat(join(folder, name))).ino))
  // The process ended before it had recorded the copies, or while it wrote one.
  const before = await inodes()
  await writeFile(join(folder, second), 'anchor 2\nat')
  await api.db.query(uncopied)
  await runJob(api, 'anchor-chains')
  expect([await isCopied(), await inodes()]).toEqual([[true, true], before])
  expect(await verifyCopies(api.db, folder)).toEqual({ copies: 2, incomplete: [], fault: null })

  await writeFile(join(folder, first), 'another one')
  await rm(join(folder, second))
  await api.db.query(uncopied)
  await expect(runJob(api, 'anchor-chains')).rejects.toThrow(`EVIDENCE_COPY: ${first} exists with another content`)
  expect(await isCopied()).toEqual([false, true])
  expect(await readFile(join(folder, first), 'utf8')).toBe('another one')
})

test('verify-log names copies that were not written to their end apart from chains that do not hold', async () => {
  const { api, folder } = await anchored()
  const [first = { text: '' }, second = { number: 0, text: '' }] = await anchorsOf(api)
  const name = copyOf(second)
  const write = (name: string, text: string) => writeFile(join(folder, name), text)
  // Cut within a hash, a word, before the last line feed, after a line, and created only.
  for (const end of [second.text.length - 20, 3, second.text.length - 1, second.text.indexOf('previous'), 0]) {
    await write(name, second.text.slice(0, end))
    expect([end, await verifyCopies(api.db, folder)]).toEqual([end, { copies: 1, incomplete: [name], fault: null }])
  }
  const { code, lines } = await manage(api, 'verify-log', '--chain', 'audit', '--anchors', folder)
  expect([code, ...lines.slice(-2)]).toEqual([
    ...[0, 'copies: 1 anchors hold', `copies: ${name} is incomplete: it was not written to its end`],
  ])

  // Of an anchor that the database does not have, the whole lines are compared.
  await write(name, second.text)
  const foreign = 'anchor-000003-0123456789abcdef.txt'
  const [ofAudit = '', ofStation = ''] = second.text.split('\n').slice(3)
  const cut = (lineOfAudit: string) =>
    [...second.text.split('\n').slice(0, 3), lineOfAudit, ofStation.slice(0, -10)].join('\n')
  await write(foreign, cut(ofAudit))
  expect(await verifyCopies(api.db, folder)).toEqual({ copies: 2, incomplete: [foreign], fault: null })
  await write(foreign, cut(ofAudit.replace('audit 5', 'audit 6')))
  expect((await verifyCopies(api.db, folder)).fault).toBe(`${foreign}: link 6 of audit is missing, which anchor 2 has`)
  for (const text of ['another one', `${first.text}another one`, 'anchor 2\nin 2026', first.text.slice(0, 40)]) {
    await write(foreign, text)
    expect([text, await verifyCopies(api.db, folder)]).toEqual([
      text,
      { copies: 3, incomplete: [], fault: `${foreign}: it is no anchor` },
    ])
  }
})

test('after a restore anchors have copies of their own beside those of the same numbers', async () => {
  const { api, folder } = await anchored()
  const lost = (await anchorsOf(api))[1] as { number: number; text: string }
  // A backup of before the second anchor and its lines.
  await api.db.query(
    raw(`drop rule audit_is_never_deleted on audit; delete from audit where id > 3; delete from log_seal where seq > 3;
         delete from evidence_anchor where number = 2`),
  )
  await audited(api, 1, 4)
  await runJob(api, 'anchor-chains')
  const anchors = await anchorsOf(api)
  expect(anchors.map(({ number, isCopied }) => [number, isCopied])).toEqual([
    [1, true],
    [2, true],
  ])
  expect((await readdir(folder)).sort()).toEqual([...anchors.map(copyOf), copyOf(lost)].sort())
  expect(await readFile(join(folder, copyOf(lost)), 'utf8')).toBe(lost.text)
  expect((await verifyCopies(api.db, folder)).fault).toContain('link 5 of audit is missing, which anchor 2 has')
})

test('a write-once store that has an anchor already counts as copied, another content raises an alarm', async () => {
  const objects = new Map<string, string>()
  const store = await startService((response, { method, path, body }) => {
    const existing = objects.get(path)
    if (method === 'GET') return response.writeHead(existing === undefined ? 404 : 200).end(existing)
    if (existing !== undefined) return response.writeHead(409).end()
    objects.set(path, body)
    // Stored, but the answer is lost.
    return response.writeHead(504).end()
  })
  const api = await testApi({ evidenceCopy: { url: `http://${store.address}` } })
  await audited(api, 1, 1)
  await expect(runJob(api, 'anchor-chains')).rejects.toThrow('EVIDENCE_COPY: 504')
  await runJob(api, 'anchor-chains')
  expect(await anchorsOf(api)).toMatchObject([{ number: 1, isCopied: true }])
  expect(store.requests.map(({ method, headers }) => [method, headers['if-none-match']])).toEqual([
    ['PUT', '*'],
    ['PUT', '*'],
    ['GET', undefined],
  ])

  const [path] = [...objects.keys()] as [string]
  objects.set(path, 'another one')
  await api.db.query(raw('update evidence_anchor set copied_at = null'))
  await expect(runJob(api, 'anchor-chains')).rejects.toThrow('exists with another content')
  const isRaised = async (ms: number) => {
    api.clock.now = new Date(api.clock.now.getTime() + ms)
    await api.db.query(sql`select pg_notify('alarms', 'observe')`)
    const administrator = await api.as('UsersAdmin')
    return (await administrator.call(list)).body.content.some(({ kind }) => kind === 'anchors-not-copied')
  }
  expect(await isRaised(3_600_000)).toBe(false)
  await eventually(async () => expect(await isRaised(60_000)).toBe(true))
})

test('anchors get time stamps that OpenSSL verifies from their copies, and verify-log tells which have one', async () => {
  if (!hasProgram('openssl')) return
  const folder = await testFolder()
  const { stamps, ca } = await startOpensslAuthority()
  const api = await testApi({ evidenceCopy: { folder } })
  api.clock.now = new Date()
  await audited(api, 1, 1)
  await runJob(api, 'anchor-chains')
  // An authority is set later: earlier anchors have no stamp, and the authority is asked for the next one.
  const stamping = await testApi({ evidenceCopy: { folder }, stamps }, { name: api.name, clock: api.clock })
  await api.db.query(raw("update evidence_anchor set at = at - interval '1 day'"))
  await runJob(stamping, 'anchor-chains')
  const trusted = await readAuthorities(stamps)
  expect(await verifyAnchorStamps(api.db, trusted)).toMatchObject({ valid: 0, pending: 1, without: 1, fault: null })
  await runJob(stamping, 'stamp-evidence')
  await runJob(stamping, 'anchor-chains')
  const [first, second] = (await anchorsOf(api)).map(copyOf) as [string, string]
  const stamp = second.replace('.txt', '.tst')
  expect((await readdir(folder)).sort()).toEqual([first, stamp, second])
  const stampLine =
    /^stamps: 1 anchors have a valid one, the last one of anchor 2, [\dT:.-]+Z; 0 wait for one, 1 have none$/
  const settings = { TSA_URLS: stamps.urls.join(','), TSA_CA: ca }
  expect((await manageWith(settings, api, 'verify-log', '--chain', 'audit')).lines.at(-1)).toMatch(stampLine)
  const openssl = (name: string) =>
    run('openssl', ['ts', '-verify', '-token_in', '-in', stamp, '-data', name, '-CAfile', ca], folder)
  expect(await openssl(second)).toContain('Verification: OK')
  expect(await openssl(first)).toContain('FAILED')

  // Stamps of documents end, those of anchors do not.
  await requestStamp(api.db, Buffer.alloc(32, 1), 'document', api.clock.now)
  // What somebody deletes from the queue is missing.
  const missing = 'the time stamp of anchor 2 is missing'
  const faultAfter = async (statement: string) => {
    let fault: string | null = null
    const done = api.db.transaction(async (db) => {
      await db.query(raw(statement))
      fault = (await verifyAnchorStamps(db, trusted, api.clock.now)).fault
      throw new Error('rolled back')
    })
    await expect(done).rejects.toThrow('rolled back')
    return fault
  }
  const ofAnchors = "about = 'anchor'"
  expect(await faultAfter(`delete from stamp_request where ${ofAnchors}`)).toBe(missing)
  expect(await faultAfter('update evidence_anchor set stamp_copied_at = null')).toBeNull()
  const emptied = `update stamp_request set token = null, next_at = null where ${ofAnchors}`
  const uncopied = 'update evidence_anchor set stamp_copied_at = null'
  expect(await faultAfter(`${emptied}; ${uncopied}`)).toBeNull()
  expect(await faultAfter(`${emptied}; ${uncopied}, at = at - interval '25 hours'`)).toBe(missing)
  expect(
    await faultAfter(`${uncopied};
      insert into evidence_anchor (number, at, text, sha256, audit_seq)
      select 3, at, text, sha256('3'), audit_seq from evidence_anchor where number = 2`),
  ).toBe('the time stamp of anchor 3 is missing')
  const about = () => api.db.query(sql`select about from stamp_request order by about`)
  api.clock.now = new Date(api.clock.now.getTime() + 1_095 * 24 * 3_600_000 - 1)
  await runJob(api, 'delete-old-stamps')
  expect(await about()).toEqual([{ about: 'anchor' }, { about: 'document' }])
  api.clock.now = new Date(api.clock.now.getTime() + 1)
  await runJob(api, 'delete-old-stamps')
  expect(await about()).toEqual([{ about: 'anchor' }])
  // A stamp of something else is none of this anchor.
  await api.db.query(raw('update stamp_request set imprint = (select sha256 from evidence_anchor where number = 1)'))
  const fault = 'the time stamp of anchor 1 does not hold: imprint'
  expect(await verifyAnchorStamps(api.db, trusted)).toMatchObject({ valid: 0, without: 1, fault })
})

test('creates another anchor after 10,000 audit entries', async () => {
  const api = await testApi()
  await audited(api, 1, 1)
  await runJob(api, 'anchor-chains')
  await api.db.execute(sql`
    insert into log_seal (chain, seq, source_id, source_at, hash) values
      ('audit', 10000, 10000, now(), sha256('a')), ('audit', 10001, 10001, now(), sha256('b'))`)
  await runJob(api, 'anchor-chains')
  await runJob(api, 'anchor-chains')
  expect((await anchorsOf(api)).map(({ text }) => text.split('\n')[3]?.split(' ')[1])).toEqual(['1', '10001'])
})
