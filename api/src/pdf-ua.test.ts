import { report as archiveReport } from '@rogatka/contract/archive.ts'
import { finish } from '@rogatka/contract/calibration.ts'
import type { Endpoint } from '@rogatka/contract/endpoint.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { addPhotos, close, weigh } from '@rogatka/contract/inspections.ts'
import { add as addTicket } from '@rogatka/contract/tickets.ts'
import { imageTypes } from '@rogatka/contract/vehicle.ts'
import { expect, test } from 'vitest'
import { registeredEndpoints } from './core/route.ts'
import { sql } from './core/statement.ts'
import { signingSettings, verifySignature } from './evidence/testing.ts'
import { jpeg, send, sendImage } from './ingest/testing.ts'
import { inspectionScene, lorry, open } from './inspections/testing.ts'
import { fetchReport, unzipFiles } from './reports/testing.ts'
import { checkPdf } from './testing/pdf-ua.ts'
import { type TestApi, testApi } from './testing/test-api.ts'
import { createImage, form } from './tickets/testing.ts'

/** Every right of a report. */
const RIGHTS = [
  'CurrentMeasurements',
  'ArchiveMeasurements',
  'Stat',
  'UserManagement',
  'Tickets',
  'Inspections',
  'InspectionReview',
  'WantedList',
  'PlateAccess',
] as const

const VEHICLE = { id: vehicleId(7, 100), locationId: 7, createdAt: '2026-10-20T07:59:57.000Z' }
const AXLE = { leftWeight: 3_000, rightWeight: 3_100, gap: 132 }

/** Lists of several pages, a closed inspection with photos, a failure report, and a vehicle with all that a sheet has. */
async function scene(api: TestApi) {
  const { scale, station } = await inspectionScene(api, 70)
  const full = lorry(1, {
    speed: 130,
    vehHeight: 431,
    axles: Array.from({ length: 10 }, (_, at) => ({ ...AXLE, gap: at ? AXLE.gap : 0 })),
    shapeSamples: [200, 431, 430, 90, 400],
    euro: { make: 'DAF & Co.', model: 'XF <480>', fuel_type: 'olej' },
  })
  const measured = { ...full, sequence: 100, createdAt: VEHICLE.createdAt }
  await send(station, [measured])
  for (const type of imageTypes) await sendImage(station, measured, type, await jpeg(20, 320))
  await sendImage(station, lorry(1), 'front', await jpeg(20, 320))
  const user = await api.as(...RIGHTS)
  await api.db.execute(sql`update app_user set first_name = 'Anna & <Maria>' where id = ${user.userId}`)
  const { id } = await open(user, 1, { state: 'takenOver' })
  const photo = { name: 'a.jpg', bytes: await createImage('jpeg') }
  await user.call(addPhotos, { params: { id }, ...form({}, photo, { ...photo, name: 'b.jpg' }) })
  const weights = { axles: [7_000, 11_700, 7_450, 7_450, 7_500], gross: 42_000 }
  await user.call(weigh, { params: { id }, body: { version: 1, scaleId: scale.id, ...weights } })
  await user.call(close, { params: { id }, body: { version: 2, results: [3, 5], fineAmount: 150_050, carrier: 'A' } })
  await user.call(finish, { query: { locations: '7', time: '2026-10-20T06:00:00Z' } })
  await user.call(addTicket, form({ title: 'Brak <danych>', description: 'Linia 1\nLinia 2' }))
  return { user, inspection: id }
}

const RANGE = { dateTimeStart: '2026-10-18T22:00:00Z', dateTimeEnd: '2026-10-20T10:00:00Z' }
/** Parameters of all reports. */
const QUERY = {
  ...RANGE,
  locations: '7',
  from: '2026-10-18',
  until: '2026-10-20',
  year: 2026,
  month: 10,
  days: 7,
  statName: 'traffic',
  statResolutionUnit: 'hour',
  statResolutionValue: 6,
  groupBy: 'lane',
  graphType: 'linePlot',
  addGraph: true,
  shows: 'load',
  withTags: true,
}

/** The PDF files of a report: itself, or those in a ZIP. */
function pdfsOf(bytes: Buffer): Buffer[] {
  if (bytes.subarray(0, 5).toString() === '%PDF-') return [bytes]
  if (bytes.subarray(0, 2).toString() !== 'PK') return []
  return Object.entries(unzipFiles(bytes)).flatMap(([name, file]) => (name.endsWith('.pdf') ? [file] : []))
}

/** Requests of all reports: of each type of document, or without a type if there is only one. */
function requestsOf(api: TestApi, ids: { user: number; inspection: number }) {
  const requests: { endpoint: Endpoint; name: string; id: number; query: Record<string, unknown> }[] = []
  for (const endpoint of registeredEndpoints(api.app.api).filter(({ rate }) => rate === 'report')) {
    const { path } = endpoint
    const add = (extra: Record<string, unknown>) => {
      const query = { ...QUERY, ...extra }
      const parsed = endpoint.query?.safeParse(query)
      const type = (parsed?.data as { reportType?: string } | undefined)?.reportType
      if (parsed?.success === false || type !== extra.reportType) return false
      const id = path.startsWith('/users/') ? ids.user : path.startsWith('/inspections/') ? ids.inspection : VEHICLE.id
      const ofVehicle = 'id' in extra ? ' of a vehicle' : ''
      requests.push({ endpoint, name: `${path} ${type ?? ''}${ofVehicle}`.trim(), id, query })
      return true
    }
    const key = path.startsWith('/arch-vehicles/:id') || path.startsWith('/current') ? VEHICLE : {}
    const added = ['pdf', 'pdf-with-image', 'zip'].filter((reportType) => add({ ...key, reportType }))
    if (added.length === 0) add({})
    if (path === archiveReport.path) add({ ...VEHICLE, reportType: 'pdf' })
  }
  return requests
}

/** Several reports with charts. */
const TIMEOUT_MS = 120_000

test(
  'every PDF report follows the basic rules of PDF/UA, and those that are evidence or about one month, vehicle or inspection are signed',
  async () => {
    const { evidence } = await signingSettings()
    const api = await testApi({ ownerCompany: 'Zarząd Dróg & Mostów <Oddział>', evidence })
    const { user, inspection } = await scene(api)
    const shown: Record<string, string> = {}
    for (const { endpoint, name, id, query } of requestsOf(api, { user: user.userId, inspection })) {
      const { status, body } = await user.call(endpoint, { params: { id } as never, query: query as never })
      expect([name, status]).toEqual([name, 200])
      for (const pdf of pdfsOf((await fetchReport(user, body as never)).bytes)) {
        const { errors, summary } = await checkPdf(pdf)
        expect([name, errors]).toEqual([name, []])
        const isSigned = pdf.includes('/ByteRange') && (await verifySignature(pdf)).holds
        shown[name] = isSigned ? `${summary}, signed` : summary
      }
    }
    const list = '3 headings, 1 tables, 0 figures'
    const sheet = '6 headings, 3 tables, 7 figures, signed'
    expect(shown).toEqual({
      '/access-trail/report zip': '2 headings, 1 tables, 0 figures, signed',
      '/arch-vehicles/report pdf': list,
      // Only two vehicles have an image.
      '/arch-vehicles/report pdf-with-image': '3 headings, 1 tables, 2 figures',
      '/arch-vehicles/report pdf of a vehicle': sheet,
      '/arch-vehicles/:id/history/report pdf of a vehicle': list,
      '/arch-vehicles/:id/history/report pdf-with-image of a vehicle': '3 headings, 1 tables, 2 figures',
      '/current-vehicles/:id/report pdf of a vehicle': sheet,
      '/current-vehicles/:id/report pdf-with-image of a vehicle': sheet,
      '/current-vehicles/:id/report zip of a vehicle': sheet,
      '/diagnostic-calibrations/report pdf': '2 headings, 1 tables, 1 figures',
      '/diagnostic-calibrations-finish-dates/report pdf': '2 headings, 1 tables, 0 figures',
      '/inspections/:id/report': '4 headings, 1 tables, 2 figures, signed',
      '/inspections/figures/report pdf': '8 headings, 7 tables, 1 figures',
      '/login-to-locations/report pdf': '2 headings, 1 tables, 0 figures',
      '/station-health/availability/report pdf': `${list}, signed`,
      '/statistics/report-1 pdf': '1 headings, 1 tables, 1 figures',
      '/tickets/report': '2 headings, 1 tables, 0 figures, signed',
      '/users/:id/log': '2 headings, 1 tables, 0 figures',
    })
  },
  TIMEOUT_MS,
)
