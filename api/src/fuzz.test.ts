import { permissionsOf, rights } from '@rogatka/contract/access.ts'
import { detail as archiveDetail } from '@rogatka/contract/archive.ts'
import { addCertificate, addScale } from '@rogatka/contract/certificates.ts'
import { add as addDevice } from '@rogatka/contract/devices.ts'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { add as addInspection } from '@rogatka/contract/inspections.ts'
import { addContact, addPlate } from '@rogatka/contract/wanted.ts'
import { type Random, seededRandom } from '@rogatka/domain/core/random.ts'
import type { InjectOptions } from 'fastify'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { car, jpeg, send, sendImage } from './ingest/testing.ts'
import { SCALE } from './inspections/testing.ts'
import { inject } from './testing/inject.ts'
import type { Schema } from './testing/random.ts'
import { listOperations, type Operation, type Request, randomRequest } from './testing/requests.ts'
import { type Client, type TestApi, testApi, testStation } from './testing/test-api.ts'
import { insertDemoSigns } from './vms/demo.ts'

/*
 * Random valid and invalid requests, generated from the OpenAPI description, to every endpoint as every kind of user.
 * With more or other requests: FUZZ_REQUESTS=100000 FUZZ_SEED=9 npx vitest run api/src/fuzz.test.ts
 */

const SEED = Number(process.env.FUZZ_SEED ?? 8)
/** Per endpoint, so that new ones are covered. */
const REQUESTS_A_CALL = 12
/** A slower response counts as a hang. */
const TIMEOUT_MS = 20_000

type Answer = { status: number; type: string; json: unknown; text: string; requestId: unknown }

/** A kind of caller. `token` signs in again if its session has ended. */
type Person = { name: string; permissions: string[]; token: () => Promise<string | undefined> }

test('fuzz: every response matches the contract', async () => {
  const api = await testApi()
  const operations = listOperations(api.app)
  const [people, known, image] = [await peopleOf(api), await filled(api), await jpeg()]
  const chance = seededRandom(SEED)
  const answered = new Map<string, number>()
  const named = new Map<string, (number | string)[]>()
  const faults: string[] = []
  const requests = Number(process.env.FUZZ_REQUESTS ?? REQUESTS_A_CALL * operations.length)

  for (let done = 0; done < requests && faults.length < 10; done++) {
    const operation = operations[done % operations.length] as Operation
    const person = askerOf(operation, people, chance)
    // Ids are only valid within their feature.
    const room = operation.path.split('/')[3] ?? ''
    const ids = [...(named.get(room) ?? []), ...known.id]
    const request = randomRequest(operation, chance, { ...known, id: ids }, image)
    const token = await person.token()
    const answer = await answerTo(api, request, token, done)
    const fault = answer ? faultOf(operation, answer) : 'no answer'
    if (fault) faults.push(`${person.name}: ${JSON.stringify(request).slice(0, 600)}: ${fault}`)
    const kind = `${operation.method} ${operation.path} ${answer?.status}`
    answered.set(kind, (answered.get(kind) ?? 0) + 1)
    named.set(room, [...(named.get(room) ?? []), ...idsOf(answer?.json)].slice(-20))

    const link = (answer?.json as { link?: unknown } | null | undefined)?.link
    if (answer?.status !== 200 || typeof link !== 'string') continue
    const file = await answerTo(api, { method: 'get', url: API_BASE + link, headers: {} }, token, done, 6 * TIMEOUT_MS)
    if (file?.status !== 200) faults.push(`${person.name}: ${JSON.stringify(request)}: its file: ${file?.text}`)
  }

  if (process.env.FUZZ_REQUESTS) console.log([...answered].map(([kind, times]) => `${times} × ${kind}`).join('\n'))
  expect(faults).toEqual([])
  // Most endpoints also succeeded; random requests seldom fit the state of a record.
  const closed = operations.filter(
    ({ method, path }) => ![...answered.keys()].some((kind) => kind.startsWith(`${method} ${path} 2`)),
  )
  expect(closed.length / operations.length).toBeLessThan(0.5)
}, 3_600_000)

async function peopleOf(api: TestApi): Promise<Person[]> {
  const permissions = [...new Set(rights.flatMap(permissionsOf))]
  const anonymising = permissionsOf('Anonymization')
  const isAlive = async (token: string | undefined) =>
    token !== undefined && (await api.app.api.sessions.find(token, api.clock.now)) !== null
  const device = (): Person => {
    let [token, count]: [string | undefined, number] = [undefined, 0]
    const renewed = async () => {
      const admin = await api.as('UsersAdmin', 'CurrentMeasurements', 'BlackList', 'UserManagement')
      const name = `Ekran ${++count}`
      const body = { name, locationIds: [testStation.id], columns: 2 as const, anonymised: false, wanted: true }
      return (await admin.call(addDevice, { body })).body.token
    }
    return {
      name: 'a device',
      permissions: [],
      token: async () => {
        if (!(await isAlive(token))) token = await renewed()
        return token
      },
    }
  }
  const person = (name: string, held: string[]): Person => {
    let client: Client | undefined
    return {
      name,
      permissions: held,
      token: async () => {
        if (!(await isAlive(client?.token))) client = await api.withPermissions(held)
        return client?.token
      },
    }
  }
  const station = await api.station()
  return [
    ...permissions.map((permission) => person(permission, [permission])),
    person(
      'all rights',
      permissions.filter((permission) => !anonymising.includes(permission)),
    ),
    person('all rights, anonymised', permissions),
    person('no right', []),
    { name: 'a station', permissions: [], token: async () => station.token },
    device(),
    { name: 'signed out', permissions: [], token: async () => undefined },
    { name: 'an unknown token', permissions: [], token: async () => 'nobody-knows-me' },
  ]
}

/** Mostly a caller with access, to test more than refusals. */
function askerOf({ description }: Operation, people: readonly Person[], chance: Random): Person {
  if (chance.happens(0.3)) return chance.pick(people)
  if (description === 'Access: station') return people.find(({ name }) => name === 'a station') as Person
  const isForDevices = description === 'Access: device' || (description.endsWith(', devices') && chance.happens(0.2))
  if (isForDevices) return people.find(({ name }) => name === 'a device') as Person
  const entitled = rights.filter((right) => description.split(/\W+/).includes(right)).flatMap(permissionsOf)
  const all = people.filter(({ name }) => name.startsWith('all rights'))
  return chance.pick([...all, ...all, ...people.filter(({ name }) => entitled.includes(name))])
}

/** Sample data, and values of fields that refer to it. */
async function filled(api: TestApi) {
  const station = await api.station()
  const vehicles = Array.from({ length: 20 }, (_, index) => {
    const createdAt = new Date(api.clock.now.getTime() - (index < 10 ? 1_000 : 40_000_000) * (index + 1)).toISOString()
    return car(index + 1, { createdAt, ...(index % 3 === 0 && { speed: null, axles: null, plateLpr: null }) })
  })
  await send(station, vehicles)
  const first = vehicles.slice(0, 4)
  for (const vehicle of first) await sendImage(station, vehicle, 'front', await jpeg())
  const owner = await api.as('BlackList', 'Contacts')
  for (const plateLpr of ['WX10001', 'WX10002'])
    await owner.call(addPlate, { body: { plateLpr, typeOfList: 0, description: 'x' } })
  for (const contact of ['jan@example.org', 'anna@example.org'])
    await owner.call(addContact, { body: { contact, typeOfContact: 0, description: 'x' } })
  const officer = await api.as('Inspections', 'ScaleCertificates')
  for (const [index, { sequence, createdAt }] of first.entries())
    await officer.call(addInspection, {
      headers: { 'idempotency-key': `fuzz-${index}` },
      body: {
        locationId: 7,
        vehicleId: vehicleId(7, sequence),
        createdAt,
        state: index % 2 ? 'announced' : 'takenOver',
      },
    })
  await officer.call(addScale, { body: SCALE })
  const { certificate: number, name: _, accuracyPercent: __, ...certified } = SCALE
  for (const validFrom of ['2026-10-01', '2026-10-25', '2026-10-26'])
    await officer.call(addCertificate, { body: { ...certified, number, kind: 'initial', lane: 701, validFrom } })
  // Signs respond slowly: only in manual runs.
  if (process.env.FUZZ_REQUESTS)
    await insertDemoSigns(api.db, [testStation], (await api.as('Vms')).userId, api.clock.now)
  const viewer = await api.as('ArchiveMeasurements')
  const [known] = first
  const detail = await viewer.call(archiveDetail, {
    params: { id: vehicleId(7, known?.sequence as number) },
    query: { locationId: 7, createdAt: known?.createdAt as string },
  })
  const [sha256, signature] = detail.body.images?.[0]?.path?.split('/').slice(-2) ?? []
  return {
    id: [...first.map(({ sequence }) => vehicleId(7, sequence)), 1, 2, 8, 701],
    // Saved by the first who sends it.
    searchId: ['', 'b7FKvXQ0S0yXx1m2d3e4fA'],
    search: ['', '', 'b7FKvXQ0S0yXx1m2d3e4fA'],
    locationId: [7, 7, 8],
    locations: ['7', '7,8', 7],
    createdAt: first.map(({ createdAt }) => createdAt),
    dateTimeStart: ['2026-10-01T00:00:00Z', '2026-10-19T22:00:00Z', '2026-10-20T07:00:00+02:00'],
    dateTimeEnd: ['2026-10-21T00:00:00Z', '2026-10-20T22:00:00Z', '2026-10-20T08:00:00Z'],
    sequence: vehicles.map(({ sequence }) => sequence),
    laneNumber: [1, 2],
    plateLpr: ['WX*', 'WX10001', 'W?1000?'],
    number: [1, 1, 2],
    sha256: [sha256],
    signature: [signature],
    page: [1, 2],
    limit: [1, 10, 100],
    statResolutionUnit: ['hour', 'day', 'minute', 'month'],
    statResolutionValue: [1, 2, 15],
    phoneNumber: ['+48 600 100 200'],
    email: ['jan@example.org'],
    password: ['Szlaban-2026-noc'],
    groupId: [1],
    variantId: [1, 2],
    roles: [[8], [1]],
    reason: ['Pomyłka'],
    at: [api.clock.now.toISOString()],
    version: [1, 1, 2],
    vehicleId: first.map(({ sequence }) => vehicleId(7, sequence)),
    lane: [701],
    scaleId: [1],
    validFrom: ['2026-10-01', '2026-10-25'],
    validUntil: ['2026-12-31'],
    results: [[9], [11]],
    gross: [40_000],
    permissions: [['ROLE_1'], ['ROLE_1', 'ROLE_4']],
  }
}

/** Ids in a response, for further requests. */
function idsOf(json: unknown): (number | string)[] {
  const answer = json as { id?: unknown; content?: unknown } | null | undefined
  const list = [Array.isArray(answer) ? answer : Array.isArray(answer?.content) ? answer.content : answer].flat()
  return list
    .flatMap((one) => [one?.id, one?.group?.id, one?.searchId])
    .filter((id): id is number | string => typeof id === 'number' || typeof id === 'string')
    .slice(0, 5)
}

/** Null when there is none in time. Each asks from another address: how often one may ask is the subject of other tests. */
async function answerTo(
  api: TestApi,
  request: Request,
  token: string | undefined,
  nth: number,
  timeoutMs = TIMEOUT_MS,
) {
  const options = {
    ...request,
    method: request.method.toUpperCase(),
    headers: { ...request.headers, ...(token && { authorization: `Bearer ${token}` }) },
    remoteAddress: `10.${(nth >> 16) & 255}.${(nth >> 8) & 255}.${nth & 255}`,
  } as InjectOptions
  let late: NodeJS.Timeout | undefined
  const tooLate = new Promise<null>((resolve) => {
    late = setTimeout(resolve, timeoutMs, null)
  })
  const answer = await Promise.race([inject(api.app.api.http, options), tooLate])
  clearTimeout(late)
  if (!answer) return null
  const type = String(answer.headers['content-type'] ?? '').split(';')[0] ?? ''
  const json = type === 'application/json' ? JSON.parse(answer.body) : undefined
  const { statusCode: status, body: text, headers } = answer
  return { status, type, json, text: text.slice(0, 500), requestId: headers['x-request-id'] } satisfies Answer
}

const compiled = new Map<Schema, z.ZodType>()
const shapeOf = (schema: Schema): z.ZodType => {
  const shape = compiled.get(schema) ?? z.fromJSONSchema(schema as never)
  compiled.set(schema, shape)
  return shape
}

/** What is wrong with an answer by the description of the call; null when nothing is. */
function faultOf({ responses }: Operation, { status, type, json, text, requestId }: Answer): string | null {
  if (status >= 500) return `${status}: ${text}`
  if (!requestId) return `no x-request-id: ${status} ${text}`
  const described = responses[status] ?? (status >= 400 ? responses.default : undefined)
  if (!described) return `${status}, which is not described`
  const schema = described.content?.['application/json']?.schema
  if (!schema) return status === 200 && type === '' ? 'no content' : null
  if (type !== 'application/json') return `${status} ${type}: ${text}`
  const parsed = shapeOf(schema).safeParse(json)
  if (!parsed.success) return `${status} ${text}: ${z.prettifyError(parsed.error)}`
  return status >= 400 && (json as unknown[]).length === 0 ? 'no error is named' : null
}
