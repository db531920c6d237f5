import { createHash } from 'node:crypto'
import * as archive from '@rogatka/contract/archive.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import * as endpoints from '@rogatka/contract/inspections.ts'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { openFiles } from '../core/open-files.ts'
import { sql } from '../core/statement.ts'
import { jpeg, sendImage } from '../ingest/testing.ts'
import { extractImages, extractPages, fetchReport } from '../reports/testing.ts'
import { type Client, testApi } from '../testing/test-api.ts'
import { createImage, form } from '../tickets/testing.ts'
import { codesOf, inspectionScene, lorry, MEASURED_AT, open } from './testing.ts'

const textOf = async (user: Client, answer: { body: { link: string } }) => {
  const file = await fetchReport(user, answer.body)
  expect(file.headers['content-type']).toBe('application/pdf')
  return { text: (await extractPages(file.bytes)).join(' ').replace(/\s+/g, ' '), headers: file.headers }
}

test('the record and the evidence sheet compare WIM with static weights by axle', async () => {
  const api = await testApi({ ownerCompany: 'Zarząd' })
  const { scale, station } = await inspectionScene(api, 1)
  const officer = await api.as('Inspections', 'ArchiveMeasurements')
  const { id } = await open(officer, 1, { state: 'takenOver' })
  const order = (user: Client, language = 'pl') =>
    user.call(endpoints.report, { params: { id }, headers: { 'accept-language': language } })
  const sheet = async (user = officer) => {
    const query = { locations: '7', dateTimeStart: MEASURED_AT, dateTimeEnd: '2026-10-20T08:00:00Z' }
    const vehicle = { id: vehicleId(7, 1), locationId: 7, createdAt: MEASURED_AT }
    const answer = await user.call(archive.report, { query: { ...query, ...vehicle, reportType: 'pdf' } as never })
    return (await textOf(user, answer)).text
  }
  // Images of the measurement are in the record of an open one, as soon as they arrive.
  await sendImage(station, lorry(1), 'front', await jpeg())
  const { text: begun } = await textOf(officer, await order(officer))
  for (const part of ['Stan podjęta', 'Fotografie', 'WIM, przód.']) expect(begun).toContain(part)
  expect(await sheet()).not.toContain('waga statyczna')

  await officer.call(endpoints.addPhotos, {
    params: { id },
    ...form(
      {},
      { name: 'a.jpg', bytes: await createImage('jpeg') },
      { name: 'b.png', bytes: await createImage('png') },
    ),
  })
  await officer.call(endpoints.weigh, {
    params: { id },
    body: { version: 1, scaleId: scale.id, axles: [7_000, 11_700, 7_450, 7_450, 7_500], gross: 42_000 },
  })
  const results = [3 as const, 5 as const]
  const words = {
    carrier: 'Trans-Pol',
    taxId: '1234563218',
    declaration: 'Załadowano na kopalni.\nTak.',
    note: 'Uwaga',
  }
  await officer.call(endpoints.close, { params: { id }, body: { version: 2, results, fineAmount: 150_050, ...words } })

  const comparison = [
    'WIM i waga statyczna, kontrola K/1/2026/TES',
    'WIM [t] Statycznie [t] Różnica [%] Limit [t] Pewne przekroczenie',
    'Masa całkowita 42,00 42,00 0,0 40,00 +4,0 %',
    'Grupa osi 3–5 22,80 22,40 +1,8 24,00 –',
    'Oś 1 7,40 7,00 +5,7 10,00 –',
    'Oś 2 11,80 11,70 +0,9 11,50 +0,7 %',
    'Waga: Waga Radzymin, świadectwo OUM/17/2026, OUM Warszawa, ważne do 30.11.2026, dokładność 1,0 %',
    'Limit przekroczono na pewno, po odjęciu dokładności wagi.',
  ]
  const { text, headers } = await textOf(officer, await order(officer))
  expect(headers['content-disposition']).toBe('attachment; filename="K_1_2026_TES.pdf"')
  for (const part of [
    'Protokół kontroli pojazdu',
    'Stan zamknięta',
    'Czas pomiaru 20.10.2026 09:59:58, WX 10001',
    `Podjęto 20.10.2026 10:00:00, ${officer.username}`,
    'Zmiana 20.10.2026, 06:00–14:00',
    ...comparison,
    '3. mandat 5. zakaz dalszej jazdy',
    'Kwota 1 500,50 PLN',
    'Przewoźnik Trans-Pol',
    'NIP 1234563218',
    'Oświadczenie kierowcy Załadowano na kopalni. Tak.',
    'Notatka Uwaga',
    'Kierowca: data, podpis',
    'Fotografie',
  ])
    expect(text).toContain(part)
  const evidence = await sheet()
  for (const part of comparison) expect(evidence).toContain(part)
  const anonymised = await sheet(await api.as('ArchiveMeasurements', 'Anonymization'))
  expect(anonymised).toContain(comparison[2])
  expect(anonymised).not.toContain('K/1/2026/TES')

  const masked = await api.as('InspectionReview', 'Anonymization')
  const german = (await textOf(masked, await order(masked, 'de'))).text
  expect(german).toContain('Protokoll der Fahrzeugkontrolle')
  expect(german).toContain('3. Bußgeld')
  for (const secret of ['10001', ...Object.values(words), 'Bilder']) expect(german).not.toContain(secret)
  expect(codesOf(await order(await api.as('Inspections')))).toEqual(['null inspection-not-found'])
})

test('a record shows an announcement that was taken over at once, if the audit log has lost its steps', async () => {
  const api = await testApi()
  await inspectionScene(api, 1)
  const officer = await api.as('Inspections')
  const { id, version } = await open(officer, 1)
  await officer.call(endpoints.takeOver, { params: { id }, body: { version } })
  await api.db.execute(sql`delete from audit where action like 'inspection-%'`)
  const { text } = await textOf(officer, await officer.call(endpoints.report, { params: { id } }))
  expect(text).toContain(`Zapowiedziano 20.10.2026 10:00:00, ${officer.username}`)
})

test('a record without a measurement names what an invalid scale found', async () => {
  const api = await testApi()
  const { scale } = await inspectionScene(api, 1)
  // The certificate of the scale ends on 30 November.
  api.clock.now = new Date('2026-11-30T23:00:00Z')
  const officer = await api.as('Inspections')
  const random = { vehicleId: null, createdAt: null, state: 'takenOver', selection: 'random' }
  const { id } = await open(officer, 1, random)
  const groups = [
    { axles: 1, load: 12_000 },
    { axles: 2, load: 19_000 },
  ]
  await officer.call(endpoints.weigh, {
    params: { id },
    body: { version: 1, scaleId: scale.id, groups, gaps: [400, 130], ctg8p1: 3 },
  })
  const { text } = await textOf(
    officer,
    await officer.call(endpoints.report, { params: { id }, headers: { 'accept-language': 'en' } }),
  )
  for (const part of [
    'Selection random',
    'Category [8+1] Lorry',
    'Gross weight – 31.00 – 26.00 –',
    'Axle 1 – 12.00 – 10.00 –',
    'Axle group 2–3 – 19.00 – 19.00 –',
    'The certificate of the scale was not valid on that day: the weighing confirms nothing.',
    'Results none yet',
  ])
    expect(text).toContain(part)
})

test('a record names the shift of a night, the plate of a random stop, and a closing that was reopened', async () => {
  const api = await testApi()
  await inspectionScene(api, 1)
  api.clock.now = new Date('2026-10-20T20:30:00Z')
  const officer = await api.as('Inspections')
  const reviewer = await api.as('InspectionReview')
  const random = { vehicleId: null, createdAt: null, state: 'takenOver', selection: 'random' }
  const { id } = await open(officer, 1, { ...random, plateLpr: 'WGM4K281', nationality: 'PL' })
  const params = { id }
  const close = (version: number, body: object) =>
    officer.call(endpoints.close, { params, body: { version, results: [11], ...body } })
  await close(1, { results: [3, 11], fineAmount: 20_050 })
  const record = async (user: Client) => (await textOf(user, await user.call(endpoints.report, { params }))).text
  // The only closing has its results below.
  expect(await record(officer)).not.toContain('Wcześniej zamknięto')
  await reviewer.call(endpoints.reopen, { params, body: { version: 2, reason: 'Błędna kwota' } })
  await close(3, {})
  const text = await record(officer)
  for (const part of [
    'Zmiana 20.10.2026, 22:00–06:00',
    'Tablica WGM 4K281, PL',
    `Wcześniej zamknięto 20.10.2026 22:30:00, ${officer.username}: mandat, inne naruszenie, 200,50 PLN`,
    `Ponownie otwarto 20.10.2026 22:30:00, ${reviewer.username}: Błędna kwota`,
    `Zamknięto 20.10.2026 22:30:00, ${officer.username} `,
    'Wyniki 11. inne naruszenie',
  ])
    expect(text).toContain(part)
  const masked = await record(await api.as('InspectionReview', 'Anonymization'))
  for (const secret of ['4K281', 'Błędna kwota']) expect(masked).not.toContain(secret)
})

test('the record shows photos of every kind upright, in a bounded size and on white', async () => {
  const api = await testApi()
  await inspectionScene(api, 1)
  const officer = await api.as('Inspections')
  const { id } = await open(officer, 1, { state: 'takenOver' })
  const clear = { r: 200, g: 0, b: 0, alpha: 0 }
  const image = (width: number, height: number) => sharp({ create: { width, height, channels: 4, background: clear } })
  const photos = [
    await image(60, 40).png().toBuffer(),
    await image(61, 40).png({ palette: true }).toBuffer(),
    await image(62, 40).toColourspace('rgb16').png({ progressive: true }).toBuffer(),
    await image(3_200, 20).png().toBuffer(),
    // Taken in portrait: the camera turned by a quarter.
    await image(64, 40).flatten({ background: '#000' }).withMetadata({ orientation: 6 }).jpeg().toBuffer(),
  ]
  const lost = await createImage('jpeg')
  for (const added of [photos, [lost]]) {
    const sent = form({}, ...added.map((bytes, at) => ({ name: `${at}`, bytes })))
    expect((await officer.call(endpoints.addPhotos, { params: { id }, ...sent })).status).toBe(200)
  }
  const path = `inspections/${id}/photo-${createHash('sha256').update(lost).digest('hex')}`
  await openFiles(api.app.api.config).put(path, lost.subarray(0, 200))

  const { body } = await officer.call(endpoints.report, { params: { id } })
  const { bytes } = await fetchReport(officer, body)
  const [first, ...pages] = await extractPages(bytes)
  expect(first).toContain('Protokół kontroli pojazdu')
  expect(pages.at(-1)).toContain('Nie można pokazać tej fotografii.')
  const shown = (await Promise.all([2, 3, 4].map((page) => extractImages(bytes, page)))).flat()
  expect(shown.map(({ width, height }) => [width, height])).toEqual([
    [60, 40],
    [61, 40],
    [62, 40],
    [1_600, 10],
    [40, 64],
  ])
  expect(shown.map(({ data }) => data[0])).toEqual([255, 255, 255, 255, 0])
})
