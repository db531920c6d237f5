import { createHash } from 'node:crypto'
import { report as archiveReport } from '@rogatka/contract/archive.ts'
import * as endpoints from '@rogatka/contract/certificates.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { expect, test } from 'vitest'
import { openFiles } from '../core/open-files.ts'
import { sql } from '../core/statement.ts'
import { car, jpeg, send, sendImage } from '../ingest/testing.ts'
import { extractPages, fetchReport } from '../reports/testing.ts'
import { type Client, type TestApi, testApi } from '../testing/test-api.ts'
import { createPdf, form, JPEG } from '../tickets/testing.ts'
import { expiringCertificates } from './expiring.ts'
import { markScaleUsed, scaleCertificates } from './queries.ts'

const SCALE = {
  name: 'Waga Radzymin',
  certificate: 'OUM/17/2026',
  authority: 'OUM Warszawa',
  validFrom: '2026-01-01',
  validUntil: '2026-11-30',
  accuracyPercent: 0.5,
  kind: 'platform' as const,
}
/** Lane 1 of the test station. */
const LANE = 701
const CERTIFICATE = {
  number: 'WIM/3/2026',
  authority: 'GUM',
  kind: 'initial' as const,
  validFrom: '2026-10-21',
  validUntil: '2027-10-20',
  minSpeed: 20,
  maxSpeed: 90,
}

/** Moments before and after midnight in Warsaw. */
const BEFORE_MIDNIGHT = new Date('2026-10-20T21:59:59.999Z')
const MIDNIGHT = new Date('2026-10-20T22:00:00Z')

const codesOf = ({ errors }: { errors: { path: string | null; code: string }[] }) =>
  errors.map(({ path, code }) => `${path} ${code}`)

const actionsOf = async (api: TestApi) =>
  (await api.db.query<{ action: string }>(sql`select action from audit order by id`)).map(({ action }) => action)

test('stores static scales, refuses conflicting changes, and never deletes one that was used', async () => {
  const api = await testApi()
  const [user, reader] = [await api.as('ScaleCertificates'), await api.as('Inspections')]
  const add = (overrides: object) => user.call(endpoints.addScale, { body: { ...SCALE, ...overrides } })
  const added = await add({})
  const { name: _, kind: __, ...certificate } = SCALE
  // The first certificate of a scale is never late.
  const enteredAt = api.clock.now.toISOString()
  expect(added.body).toEqual({
    ...SCALE,
    id: added.body.id,
    isUsed: false,
    version: 1,
    next: null,
    certificates: [{ ...certificate, isUsed: false, enteredAt, isEnteredLate: false }],
  })
  expect(codesOf(await add({}))).toEqual(['name scale-name-taken'])
  expect(codesOf(await add({ name: 'B', accuracyPercent: 0.55 }))).toEqual(['accuracyPercent invalid-value'])
  expect(codesOf(await add({ name: 'B', accuracyPercent: 5.1 }))).toEqual(['accuracyPercent value-too-large'])
  expect(codesOf(await add({ name: 'B', certificate: 'x'.repeat(41) }))).toEqual(['certificate text-too-long'])
  for (const validUntil of ['2026-02-30', '2200-01-01'])
    expect(codesOf(await add({ name: 'B', validUntil }))).toEqual(['validUntil invalid-date'])
  expect(codesOf(await add({ name: 'B', validUntil: '2025-12-31' }))).toEqual(['validUntil start-after-end'])

  const params = { id: added.body.id }
  const change = (values: object) => user.call(endpoints.changeScale, { params, body: { ...SCALE, ...values } })
  expect((await change({ accuracyPercent: 5, version: 1 })).body).toMatchObject({ accuracyPercent: 5, version: 2 })
  expect(codesOf(await change({ accuracyPercent: 1, version: 1 }))).toEqual(['null changed-meanwhile'])
  expect((await reader.call(endpoints.scales)).body).toMatchObject([{ name: SCALE.name, accuracyPercent: 5 }])

  const other = (await add({ name: 'Ązbest' })).body
  await markScaleUsed(api.db, other.id, api.clock.now)
  const remove = (id: number) => user.call(endpoints.removeScale, { params: { id } })
  expect(codesOf(await remove(other.id))).toEqual(['null scale-in-use'])
  expect((await remove(params.id)).status).toBe(204)
  expect(codesOf(await remove(params.id))).toEqual(['null scale-not-found'])
  expect((await reader.call(endpoints.scales)).body).toMatchObject([{ id: other.id, isUsed: true }])
  expect(await actionsOf(api)).toEqual(['scale-added', 'scale-changed', 'scale-added', 'scale-deleted'])
})

test('a certificate used for weighing stays unchanged, and another one follows it', async () => {
  const api = await testApi()
  const user = await api.as('ScaleCertificates')
  const { id } = (await user.call(endpoints.addScale, { body: SCALE })).body
  const change = async (values: object) => {
    const answer = await user.call(endpoints.changeScale, { params: { id }, body: { ...SCALE, ...values } })
    return answer.status === 200 ? answer.body.certificates[0]?.certificate : codesOf(answer).join()
  }
  const IN_USE = 'certificate scale-certificate-in-use'
  /** Numbers of the certificates of the scale, the latest first. */
  const numbers = async () => (await scaleCertificates(api.db, id)).map(({ certificate }) => certificate)
  expect(await change({ certificate: 'B', validFrom: '2026-02-01' })).toBe('B')
  expect(await change({ certificate: 'A' })).toBe('A')
  expect(await numbers()).toEqual(['A'])

  await markScaleUsed(api.db, id, api.clock.now)
  for (const values of [{ validUntil: '2026-12-31' }, { accuracyPercent: 1 }, { authority: 'GUM' }])
    expect(await change({ certificate: 'A', ...values })).toBe(IN_USE)
  expect(await change({ certificate: 'A', name: 'Waga 2', kind: 'axle' })).toBe('A')
  const next = { certificate: 'B', validFrom: '2026-12-01', validUntil: '2027-11-30' }
  expect(await change(next)).toBe('B')
  expect(await numbers()).toEqual(['B', 'A'])
  // It was not used for weighing: a typing error is corrected, then another one follows.
  expect(await change({ ...next, certificate: 'C', accuracyPercent: 1 })).toBe('C')
  expect(await numbers()).toEqual(['C', 'A'])
  // The first one stays unchanged: it may be sent with another name of the scale, not with other values.
  expect(await change({ certificate: 'A', name: 'Waga 3' })).toBe('C')
  expect(await numbers()).toEqual(['C', 'A'])
  expect(await change({ certificate: 'A', validUntil: '2026-12-31' })).toBe(IN_USE)
  expect(await change({ ...next, certificate: 'D', validFrom: '2027-01-01' })).toBe('D')
  expect(await numbers()).toEqual(['D', 'C', 'A'])
  await markScaleUsed(api.db, id, api.clock.now)
  expect(await change({ ...next, certificate: 'D', validFrom: '2027-02-01' })).toBe('D')
  expect(await numbers()).toEqual(['D', 'D', 'C', 'A'])

  const audited = await api.db.query<{ pair: string }>(sql`
    select concat_ws(' ', before ->> 'certificate', after ->> 'certificate') as pair from audit order by id desc limit 2`)
  expect(audited.map(({ pair }) => pair)).toContain('C D')
})

test('a future certificate leaves the current one in force, and one entered after its first day is marked', async () => {
  const api = await testApi()
  const [user, reader] = [await api.as('ScaleCertificates'), await api.as('Inspections')]
  const { id } = (await user.call(endpoints.addScale, { body: SCALE })).body
  await markScaleUsed(api.db, id, api.clock.now)
  const change = (values: object) => user.call(endpoints.changeScale, { params: { id }, body: { ...SCALE, ...values } })
  const read = async () => (await reader.call(endpoints.scales)).body[0]
  const future = { certificate: 'B', validFrom: '2026-12-15', validUntil: '2027-11-30', accuracyPercent: 2 }
  expect((await change(future)).status).toBe(200)
  expect(await read()).toMatchObject({
    ...SCALE,
    next: { ...future, authority: SCALE.authority },
    certificates: [{ certificate: 'B', isEnteredLate: false }, { certificate: SCALE.certificate }],
  })
  // In the gap the one that has ended is named, then the next one.
  api.clock.now = new Date('2026-12-14T22:59:59Z')
  expect(await (await api.as('Inspections')).call(endpoints.scales)).toMatchObject({
    body: [{ certificate: SCALE.certificate, next: { certificate: 'B' } }],
  })
  api.clock.now = new Date('2026-12-14T23:00:00Z')
  const officer = await api.as('Inspections')
  expect((await officer.call(endpoints.scales)).body).toMatchObject([{ ...future, next: null }])

  // Of the day before, and of the same day: in Poland it is the 15th.
  await markScaleUsed(api.db, id, api.clock.now)
  const later = await api.as('ScaleCertificates')
  const enter = async (certificate: string, validFrom: string) => {
    const body = { ...SCALE, ...future, certificate, validFrom }
    const { certificates } = (await later.call(endpoints.changeScale, { params: { id }, body })).body
    return certificates.map(({ certificate, isEnteredLate }) => `${certificate} ${isEnteredLate}`)
  }
  expect(await enter('C', '2026-12-14')).toEqual(['C true', 'B false', 'OUM/17/2026 false'])
  // Corrected before it was used.
  expect(await enter('C', '2026-12-15')).toEqual(['C false', 'B false', 'OUM/17/2026 false'])
  expect(await enter('D', '2026-12-01')).toEqual(['D true', 'C false', 'B false', 'OUM/17/2026 false'])
  const [entry] = await api.db.query<{ before: object; after: object }>(
    sql`select before, after from audit order by id desc limit 1`,
  )
  expect(entry?.before).toMatchObject({ certificate: 'C', validFrom: '2026-12-15' })
  expect(entry?.after).toMatchObject({ certificate: 'D', validFrom: '2026-12-01', isEnteredLate: true })
})

test('certificates of lanes can be changed until their first day, then only revoked', async () => {
  const api = await testApi()
  api.clock.now = BEFORE_MIDNIGHT
  await api.station()
  const [user, reader] = [await api.as('ScaleCertificates'), await api.as('InspectionReview')]
  const add = (overrides: object) =>
    user.call(endpoints.addCertificate, { body: { ...CERTIFICATE, lane: LANE, ...overrides } })
  const { body: added } = await add({})
  expect(added).toMatchObject({
    ...CERTIFICATE,
    lane: { id: LANE, laneNumber: 1 },
    location: { id: 7, shortName: 'S8 Test' },
    revoked: null,
    isUsed: false,
    file: null,
  })
  expect(codesOf(await add({ lane: 703 }))).toEqual(['lane lane-not-found'])
  expect(codesOf(await add({ minSpeed: 91 }))).toEqual(['maxSpeed min-greater-than-max'])
  expect(codesOf(await add({ validUntil: '2026-10-20' }))).toEqual(['validUntil start-after-end'])

  const params = { id: added.id }
  const change = (version: number) =>
    user.call(endpoints.changeCertificate, { params, body: { ...CERTIFICATE, number: 'WIM/4/2026', version } })
  expect((await change(1)).body).toMatchObject({ number: 'WIM/4/2026', version: 2 })
  expect(codesOf(await change(1))).toEqual(['null changed-meanwhile'])
  const unused = (await add({ number: 'WIM/5/2026' })).body
  expect((await user.call(endpoints.removeCertificate, { params: { id: unused.id } })).status).toBe(204)

  api.clock.now = MIDNIGHT
  expect(codesOf(await change(2))).toEqual(['null certificate-in-use'])
  expect(codesOf(await user.call(endpoints.removeCertificate, { params }))).toEqual(['null certificate-in-use'])
  const revoke = (reason: string) => user.call(endpoints.revokeCertificate, { params, body: { reason, version: 2 } })
  expect((await revoke('Uszkodzony czujnik')).body).toMatchObject({
    revoked: { by: user.username, reason: 'Uszkodzony czujnik', at: api.clock.now.toISOString() },
  })
  expect(codesOf(await revoke('x'))).toEqual(['null certificate-revoked'])
  await add({ number: 'WIM/6/2026', validFrom: '2026-10-22' })

  const listed = (await reader.call(endpoints.lanes, { query: { locations: '7' } })).body
  expect(listed).toMatchObject([{ id: LANE, purpose: 'preselection' }])
  expect(listed[0]?.certificates.map(({ number, isUsed }) => [number, isUsed])).toEqual([
    ['WIM/6/2026', false],
    ['WIM/4/2026', true],
  ])
  expect((await reader.call(endpoints.lanes, { query: { locations: '8' } })).body).toEqual([])
  expect(await actionsOf(api)).toEqual([
    'certificate-added',
    'certificate-changed',
    'certificate-added',
    'certificate-deleted',
    'certificate-revoked',
    'certificate-added',
  ])
})

test('a certificate has one PDF, which stays once it is in force', async () => {
  const api = await testApi()
  api.clock.now = BEFORE_MIDNIGHT
  await api.station()
  const [user, reader] = [await api.as('ScaleCertificates'), await api.as('Inspections')]
  const { id } = (await user.call(endpoints.addCertificate, { body: { ...CERTIFICATE, lane: LANE } })).body
  const [first, second] = [await createPdf(), await createPdf((document) => void document.text('Druga wersja'))]
  const store = (...files: Buffer[]) =>
    user.call(endpoints.storeCertificateFile, {
      params: { id },
      ...form({}, ...files.map((bytes) => ({ name: 'świadectwo.pdf', bytes }))),
    })
  const read = (client: Client) => client.call(endpoints.certificateFile, { params: { id } })
  const files = openFiles(api.app.api.config)
  const isStored = async (bytes: Buffer) => {
    const digest = createHash('sha256').update(bytes).digest('hex')
    return (await files.get(`certificates/${id}/${digest.slice(0, 2)}/${digest}`)) !== null
  }
  // The folder outlives a run that failed.
  await files.removeFolder(`certificates/${id}`)
  expect(codesOf(await read(reader))).toEqual(['null certificate-not-found'])
  expect(codesOf(await store(JPEG))).toEqual(['attachment attachment-kind-not-accepted'])
  expect(codesOf(await store(first, second))).toEqual(['attachment list-too-long'])
  expect((await store(first)).body.file).toEqual({ name: 'świadectwo.pdf', size: first.length })
  expect(await isStored(first)).toBe(true)
  await store(second)
  expect((await read(reader)).bytes).toEqual(second)
  expect([await isStored(first), await isStored(second)]).toEqual([false, true])
  api.clock.now = MIDNIGHT
  // Sent again after a lost answer.
  expect((await store(second)).status).toBe(200)
  expect(codesOf(await store(first))).toEqual(['null certificate-in-use'])
  expect([await isStored(first), await isStored(second)]).toEqual([false, true])
  const { headers } = await read(reader)
  expect(headers['content-disposition']).toMatch(/^attachment/)
  expect((await actionsOf(api)).filter((action) => action === 'certificate-file-stored')).toHaveLength(2)
  api.clock.now = BEFORE_MIDNIGHT
  expect((await user.call(endpoints.removeCertificate, { params: { id } })).status).toBe(204)
  expect(await isStored(second)).toBe(false)
})

test('certificates of a lane stay listed after its scale was removed, without warnings', async () => {
  const api = await testApi()
  await api.station()
  const user = await api.as('ScaleCertificates')
  const added = await user.call(endpoints.addCertificate, {
    body: { ...CERTIFICATE, lane: LANE, validFrom: '2026-10-01', validUntil: '2026-10-19' },
  })
  const lanes = async () =>
    (await user.call(endpoints.lanes)).body.map(({ id, hasScale, certificates }) => [
      id,
      hasScale,
      certificates.map((certificate) => certificate.id),
    ])
  expect(await lanes()).toEqual([[LANE, true, [added.body.id]]])
  expect(await expiringCertificates(api.db, api.clock.now)).toHaveLength(1)
  const remaining = sql`location_id = 7 and lane_number = 1`
  await api.db.execute(sql`update lane set accuracy_class = null where ${remaining}`)
  expect(await lanes()).toEqual([[LANE, false, [added.body.id]]])
  expect(await expiringCertificates(api.db, api.clock.now)).toEqual([])
  await api.db.execute(sql`delete from lane where ${remaining}`)
  expect(await lanes()).toEqual([[LANE, false, [added.body.id]]])
  expect(await expiringCertificates(api.db, api.clock.now)).toEqual([])
  const revoked = await user.call(endpoints.revokeCertificate, {
    params: { id: added.body.id },
    body: { reason: 'waga zdjęta' },
  })
  expect(revoked.status).toBe(200)
})

test('the purpose of a lane is preselection until it is set', async () => {
  const api = await testApi()
  await api.station()
  const user = await api.as('ScaleCertificates')
  const purposes = async () => (await user.call(endpoints.lanes)).body.map(({ purpose }) => purpose)
  expect(await purposes()).toEqual(['preselection'])
  const set = (id: number) => user.call(endpoints.changePurpose, { params: { id }, body: { purpose: 'enforcement' } })
  expect((await set(LANE)).status).toBe(204)
  expect(codesOf(await set(799))).toEqual(['lane lane-not-found'])
  expect(await purposes()).toEqual(['enforcement'])
  const [entry] = await api.db.query(sql`select subject, before, after from audit`)
  expect(entry).toEqual({
    subject: 'S8 Test',
    before: { laneNumber: 1, purpose: 'preselection' },
    after: { laneNumber: 1, purpose: 'enforcement' },
  })
})

test('the evidence sheet states on each page what the measurement may be used for', async () => {
  const api = await testApi()
  const station = await api.station()
  const day = (date: string) => ({ createdAt: `${date}T08:00:00.000Z` })
  const vehicles = [
    car(1, { ...day('2026-09-30'), speed: 90 }),
    car(2, { ...day('2026-10-15'), speed: 91 }),
    car(3, { ...day('2026-10-15'), speed: 90 }),
  ]
  await send(station, vehicles)
  for (const vehicle of vehicles) await sendImage(station, vehicle, 'front', await jpeg())
  const user = await api.as('ScaleCertificates', 'ArchiveMeasurements')
  const headings = ['POMIAR BEZ WAŻNEGO', 'Pomiar preselekcyjny', 'Świadectwo WIM/3/2026, GUM, ważne do 30.10.2026']
  /** The heading of each sheet, in its head and at the foot of each of its two pages. */
  const shown = () =>
    Promise.all(
      vehicles.map(async ({ sequence, createdAt }) => {
        const query = { locations: '7', dateTimeStart: createdAt, dateTimeEnd: '2026-10-20T08:00:00Z' }
        const key = { id: vehicleId(7, sequence), locationId: 7, createdAt, reportType: 'pdf' }
        const { body } = await user.call(archiveReport, { query: { ...query, ...key } as never })
        const pages = await extractPages((await fetchReport(user, body)).bytes)
        return headings.filter((heading) => pages.every((page) => page.includes(heading))).join()
      }),
    )
  expect(await shown()).toEqual(Array(3).fill('Pomiar preselekcyjny'))
  await user.call(endpoints.changePurpose, { params: { id: LANE }, body: { purpose: 'enforcement' } })
  expect(await shown()).toEqual(Array(3).fill('POMIAR BEZ WAŻNEGO'))
  const days = { validFrom: '2026-10-01', validUntil: '2026-10-30' }
  await user.call(endpoints.addCertificate, { body: { ...CERTIFICATE, ...days, lane: LANE } })
  // Before its first day, above its speeds, within both.
  expect(await shown()).toEqual([headings[0], headings[0], headings[2]])
})
