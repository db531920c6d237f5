import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as archive from '@rogatka/contract/archive.ts'
import * as certificates from '@rogatka/contract/certificates.ts'
import type { Endpoint } from '@rogatka/contract/endpoint.ts'
import { stampDocument } from '@rogatka/contract/evidence.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import * as inspections from '@rogatka/contract/inspections.ts'
import { logout } from '@rogatka/contract/session.ts'
import * as tickets from '@rogatka/contract/tickets.ts'
import { availabilityReport } from '@rogatka/contract/tickets-health.ts'
import { imageVersion } from '@rogatka/contract/vehicle.ts'
import * as vms from '@rogatka/contract/vms.ts'
import { expect, onTestFinished, test } from 'vitest'
import { createHttp } from './core/http.ts'
import { registeredEndpoints } from './core/route.ts'
import { serveSpa } from './core/spa.ts'
import { signingSettings } from './evidence/testing.ts'
import { startAuthority } from './evidence/testing-authority.ts'
import { tryFile } from './imports/testing.ts'
import { car, jpeg, send, sendImage } from './ingest/testing.ts'
import { addRequest } from './inspections/testing.ts'
import { fetchReport } from './reports/testing.ts'
import { type TestApi, testApi } from './testing/test-api.ts'
import { createPdf, form } from './tickets/testing.ts'
import { testSigns } from './vms/testing.ts'

/** Every right except anonymisation. */
const EVERYTHING = [1, 2, 3, 4, 7, 10, 11, 12, 13, 14, 15, 19, 20, 38, 41, 43, 45].map((number) => `ROLE_${number}`)

const name = ({ method, path }: Endpoint) => `${method} ${path}`

test('every endpoint but that of image addresses sends Cache-Control: no-store to every caller', async () => {
  const authority = await startAuthority(() => api.clock.now)
  const { evidence } = await signingSettings()
  const api: TestApi = await testApi({ evidence, stamps: authority.stamps })
  const { groupId, signIds, contents } = await testSigns(api)
  const station = await api.station()
  const measured = car(1)
  await send(station, [measured])
  await sendImage(station, measured, 'front', await jpeg(80, 400))
  // Late enough for everything to be settled.
  api.clock.now = new Date('2026-10-20T08:30:00Z')
  const user = await api.withPermissions(EVERYTHING)
  const added = await user.call(tickets.add, form({ description: 'x' }, { name: 'x.jpg', bytes: await jpeg() }))
  expect((await user.call(vms.enableVariant, { params: { groupId, variantId: 1 } })).status).toBe(200)
  const passage = { dateTimeStart: '2026-10-20T07:00:00Z', dateTimeEnd: '2026-10-20T09:00:00Z', locations: '7' }
  const ordered = await user.call(archive.report, { query: { ...passage, reportType: 'csv' } })

  const detail = await user.call(archive.detail, {
    params: { id: vehicleId(7, 1) },
    query: { locationId: 7, createdAt: measured.createdAt },
  })
  const { body: inspection } = await user.call(
    inspections.add,
    addRequest(1, { createdAt: measured.createdAt, state: 'takenOver' }),
  )
  const photo = form({}, { name: 'x.jpg', bytes: await jpeg() })
  await user.call(inspections.addPhotos, { params: { id: inspection.id }, ...photo })
  const days = { validFrom: '2026-01-01', validUntil: '2026-12-31' }
  const { body: certificate } = await user.call(certificates.addCertificate, {
    body: { lane: 701, number: 'WIM/1', authority: 'GUM', kind: 'initial', ...days },
  })
  const pdf = form({}, { name: 'x.pdf', bytes: await createPdf() })
  await user.call(certificates.storeCertificateFile, { params: { id: certificate.id }, ...pdf })

  const unassigned = JSON.stringify({ locationId: 7, ...car(2, { laneNumber: 9 }) })
  // The first one is cancelled below.
  await tryFile(api, user, unassigned)
  const refused = await tryFile(api, user, unassigned)

  const { body: availability } = await user.call(availabilityReport, {
    query: { year: 2026, month: 9, reportType: 'pdf' },
  })
  const document = await fetchReport(user, availability)

  const [, , viewer, id, createdAt, type, sha256, signature] = detail.body.images?.[0]?.path?.split('/') ?? []

  /** Parameters for every binary endpoint, so that none is only tested refused. */
  const binary: Record<string, { params: object; query?: object; payload?: Buffer; headers?: object }> = {
    [name(stampDocument)]: {
      params: {},
      payload: document.bytes,
      headers: { 'content-type': 'application/octet-stream' },
    },
    'GET /current-vehicles/:id/images/:number': { params: { id: vehicleId(7, 1), number: 1 } },
    'GET /arch-vehicles/:id/images/:number': { params: { id: vehicleId(7, 1), number: 1 }, query: { scale: 0.3 } },
    [name(archive.exportMonth)]: { params: {}, query: { month: '2026-10' } },
    [name(imageVersion)]: { params: { viewer, id, createdAt, type, sha256, signature, version: 'thumbnail' } },
    'GET /vms-contents/:id/image': { params: { id: contents.weigh } },
    'GET /vms-groups-status/:groupId/vms/:id/image': { params: { groupId, id: signIds[1] } },
    'GET /datex/sites': { params: {} },
    'GET /datex/measured': { params: {} },
    'GET /datex/signs': { params: {} },
    'GET /datex/sign-status': { params: {} },
    'GET /imports/:id/refused': { params: { id: refused.id } },
    'GET /inspections/:id/images/:type': { params: { id: inspection.id, type: 'front' } },
    'GET /inspections/:id/photos/:number': { params: { id: inspection.id, number: 1 } },
    'GET /lane-certificates/:id/file': { params: { id: certificate.id } },
    'GET /tickets/:id/attachment': { params: { id: added.body.id } },
    'GET /reports/:token': { params: { token: ordered.body.link.replace('/reports/', '') } },
  }
  const endpoints = registeredEndpoints(api.app.api).filter((endpoint) => name(endpoint) !== name(logout))
  expect(
    endpoints
      .filter((endpoint) => endpoint.binary)
      .map(name)
      .sort(),
  ).toEqual(Object.keys(binary).sort())

  for (const caller of [user, api.anyone, station]) {
    for (const endpoint of endpoints) {
      const about = name(endpoint)
      const { params, query, ...request } = binary[about] ?? {
        params: { id: 1, number: 1, tagId: 1, sequence: 1, type: 'front' },
      }
      const given = {
        params,
        query: { locationId: 7, createdAt: measured.createdAt, ...passage, ...query },
        ...request,
      }
      const { status, headers, bytes } = await caller.call(endpoint, given as never)
      if (caller === user && binary[about]) expect([status, bytes.length > 0], about).toEqual([200, true])
      if (about === name(imageVersion) && status === 200) {
        expect(headers['cache-control'], about).toMatch(/^private, max-age=\d{7}, immutable$/)
        continue
      }
      const isStream = endpoint.events !== undefined && status === 200
      expect(headers['cache-control'], `${about} ${status}`).toBe(isStream ? 'no-store, no-transform' : 'no-store')
      // For programs that poll.
      const isConditional = endpoint.binary === 'application/xml' && status === 200
      expect(headers['last-modified'] !== undefined, about).toBe(isConditional)
      expect(headers.etag ?? headers.expires, about).toBeUndefined()
    }
  }
  const http = api.app.api.http
  for (const url of ['/healthz', '/readyz', '/metrics', '/api/v1/openapi.json', '/api/v1/none', '/api/v1/users/%'])
    expect((await http.inject(url)).headers['cache-control'], url).toBe('no-store')
})

test('browsers revalidate the page, also by HEAD, cache its hashed files compressed, and do not cache a missing one', async () => {
  const api = await testApi()
  const folder = await mkdtemp(join(tmpdir(), 'rogatka-page-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), '<!doctype html>')
  await writeFile(join(folder, 'assets/main-1234.js'), '1')
  const http = await createHttp(api.app.api.config)
  onTestFinished(() => http.close())
  await serveSpa(http, folder)
  const kept = async (url: string) => (await http.inject(url)).headers['cache-control']
  expect(await kept('/archival')).toBe('no-cache')
  const head = await http.inject({ method: 'HEAD', url: '/' })
  expect([head.statusCode, head.headers['cache-control'], head.body]).toEqual([200, 'no-cache', ''])
  expect(await kept('/assets/main-1234.js')).toBe('public, max-age=31536000, immutable')
  expect(await kept('/assets/main-0000.js')).toBe('no-store')
  for (const outside of ['..%2findex.html', '%2e%2e%2findex.html', '..%5cindex.html', 'none%2f..%2fmain-1234.js'])
    expect((await http.inject(`/assets/${outside}`)).statusCode, outside).toBeGreaterThanOrEqual(403)

  await writeFile(join(folder, 'assets/main-1234.js.gz'), 'compressed by the build')
  const loaded = async (encoding: string) => {
    const { headers, body } = await http.inject({
      url: '/assets/main-1234.js',
      headers: { 'accept-encoding': encoding },
    })
    return [body, headers['content-encoding'], headers['content-type'], headers['cache-control'], headers.vary]
  }
  const [type, cached] = ['application/javascript; charset=utf-8', 'public, max-age=31536000, immutable']
  expect(await loaded('gzip, deflate, br')).toEqual([
    'compressed by the build',
    'gzip',
    type,
    cached,
    'accept-encoding',
  ])
  await writeFile(join(folder, 'assets/main-1234.js.br'), 'compressed better')
  expect((await loaded('gzip, deflate, br')).slice(0, 2)).toEqual(['compressed better', 'br'])
  expect(await loaded('identity')).toEqual(['1', undefined, type, cached, 'accept-encoding'])
})
