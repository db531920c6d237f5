import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { rights } from '@rogatka/contract/access.ts'
import * as archive from '@rogatka/contract/archive.ts'
import * as certificates from '@rogatka/contract/certificates.ts'
import * as current from '@rogatka/contract/current.ts'
import * as devices from '@rogatka/contract/devices.ts'
import type { Endpoint } from '@rogatka/contract/endpoint.ts'
import { type ErrorCode, errorCodes } from '@rogatka/contract/errors.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import * as inspections from '@rogatka/contract/inspections.ts'
import { referenceOf } from '@rogatka/contract/references.ts'
import * as systems from '@rogatka/contract/systems.ts'
import * as tickets from '@rogatka/contract/tickets.ts'
import * as views from '@rogatka/contract/views.ts'
import * as wanted from '@rogatka/contract/wanted.ts'
import * as webhooks from '@rogatka/contract/webhooks.ts'
import { validate } from '@scalar/openapi-parser'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { generate } from 'orval'
import { expect, onTestFinished, test } from 'vitest'
import { documentedErrors } from './core/documented-errors.ts'
import { operationIdOf } from './core/openapi-document.ts'
import { registeredEndpoints } from './core/route.ts'
import { car, jpeg, send, sendImage } from './ingest/testing.ts'
import { lorry } from './inspections/testing.ts'
import { closed, type Document, openApiDocument } from './testing/openapi.ts'
import { PASSWORD, type TestApi, testApi, testStation } from './testing/test-api.ts'
import { insertDemoSigns } from './vms/demo.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

type Response = {
  description: string
  headers?: object
  content?: Record<string, { schema: object; example?: unknown }>
}
type Operation = {
  operationId: string
  summary: string
  tags: string[]
  security: object[]
  parameters?: { name: string; in: string; required?: boolean; schema: object; example?: unknown }[]
  requestBody?: { content: Record<string, { schema: object; example?: unknown }> }
  responses: Record<string, Response>
}

const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`

/** The operation of an endpoint, with its responses. */
function operationOf({ paths, components }: Document, { method, path }: Endpoint): Operation {
  const operation = paths[`/api/v1${path.replace(/:(\w+)/g, '{$1}')}`]?.[method.toLowerCase()] as Operation
  const responses = Object.entries(operation.responses).map(([status, response]) => {
    const name = '$ref' in response ? String(response.$ref).split('/').at(-1) : undefined
    return [status, name ? components.responses?.[name] : response]
  })
  return { ...operation, responses: Object.fromEntries(responses) }
}

/** An independent validator of JSON Schema with the schemas of a document; returns what is wrong with a value. */
function createValidator(document: Document): (schema: object, value: unknown) => string | null {
  const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }))
  ajv.addSchema({ components: { schemas: closed(document.components.schemas) } }, 'document')
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>()
  return (schema, value) => {
    const text = JSON.stringify(closed(schema)).replaceAll('"#/components/', '"document#/components/')
    const isValid = compiled.get(text) ?? ajv.compile(JSON.parse(text))
    compiled.set(text, isValid)
    return isValid(value) ? null : ajv.errorsText(isValid.errors)
  }
}

/** Codes that no request is refused with: of rows and files, of the page, and former ones. */
const NOT_OF_REQUESTS: ErrorCode[] = [
  'conflict',
  'starting',
  'unknown-lane',
  'image-too-large',
  'duplicate-in-batch',
  'sequence-reused',
  'time-does-not-exist',
  'line-incomplete',
  'line-too-long',
  'wrong-column-count',
  'axle-count-invalid',
  'axle-too-heavy',
  'gross-differs',
  'axles-differ',
  'not-a-vehicle',
  'lane-not-assigned',
  'unreadable-characters',
  'vehicle-still-live',
  'day-measured',
  'import-mapping-incomplete',
  'import-columns-missing',
  'import-failed',
  'import-trial-failed',
]

test('the OpenAPI document is valid, and describes every endpoint with examples, errors, limits and keys', async () => {
  const api = await testApi({ requestsPerMinute: 1_234, addressRequestsPerMinute: 5_678 })
  const document = await openApiDocument(api.app)
  expect(await validate(structuredClone(document))).toMatchObject({ valid: true, errors: [] })
  expect(document).toMatchObject({
    openapi: '3.1.0',
    info: { license: { identifier: 'AGPL-3.0-or-later' }, description: expect.stringContaining('api-changes.md') },
    servers: [{ url: '/' }],
  })
  expect(JSON.stringify(document)).not.toContain('"additionalProperties":false')

  const faultOf = createValidator(document)
  const endpoints = registeredEndpoints(api.app.api)
  const tags = (document.tags as { name: string; description: string }[]).map(({ name }) => name)
  const faults: string[] = []
  const codes = new Set<string>(NOT_OF_REQUESTS)
  for (const endpoint of endpoints) {
    const about = nameOf(endpoint)
    const entry = referenceOf(endpoint)
    const operation = operationOf(document, endpoint)
    expect(operation, about).toMatchObject({
      operationId: operationIdOf(endpoint),
      summary: endpoint.summary,
      tags: [expect.toBeOneOf(tags)],
    })
    expect(operation.security.length > 0, about).toBe(endpoint.access !== 'public')

    // Examples satisfy the schema of the server, and that of the document.
    for (const part of ['params', 'query', 'body', 'response'] as const) {
      const schema = endpoint[part]
      const example = entry?.[part]
      if (schema && example === undefined) faults.push(`${about}: no example of ${part}`)
      if (schema && example !== undefined && !schema.safeParse(example).success)
        faults.push(`${about}: ${part}: ${schema.safeParse(example).error}`)
    }
    const media = [operation.requestBody, operation.responses[200]].flatMap((it) => Object.entries(it?.content ?? {}))
    for (const [type, { schema, example }] of media)
      if (type === 'application/json' && faultOf(schema, example)) faults.push(`${about}: ${faultOf(schema, example)}`)
    for (const { schema, example, name, required } of operation.parameters ?? []) {
      if (required && example === undefined) faults.push(`${about}: no example of ${name}`)
      if (example !== undefined && faultOf(schema, example))
        faults.push(`${about}: ${name}: ${faultOf(schema, example)}`)
    }

    const errors = documentedErrors(endpoint, entry?.errors)
    for (const code of [...errors.values()].flat()) codes.add(code)
    const refusals = Object.entries(operation.responses).filter(([status]) => status >= '400')
    expect(refusals.map(([status]) => Number(status))).toEqual([...errors.keys()])
    for (const [status, { description, headers, content }] of refusals) {
      const { schema, example } = content?.['application/json'] ?? { schema: {} }
      if (faultOf(schema, example)) faults.push(`${about}: ${status}: ${faultOf(schema, example)}`)
      for (const code of errors.get(Number(status)) ?? []) expect(description).toContain(`\`${code}\``)
      expect(Object.keys(headers ?? {}), about).toEqual(
        ['429', '503'].includes(status) ? ['x-request-id', 'Retry-After'] : ['x-request-id'],
      )
    }
    const { description = '' } = operation.responses[429] ?? {}
    if (endpoint.rate === 'report') expect(description).toContain('60 requests of one user in 60 s')
    for (const limit of [1_234, 5_678]) expect(description).toContain(String(limit))
  }
  expect(faults).toEqual([])
  expect(new Set(endpoints.map(operationIdOf)).size).toBe(endpoints.length)
  expect(errorCodes.filter((code) => !codes.has(code))).toEqual([])
})

test('names the keys that open an endpoint, and webhooks with their headers and bodies', async () => {
  const api = await testApi()
  const document = await openApiDocument(api.app)
  const keysOf = (path: string, method = 'get') =>
    (document.paths[`/api/v1${path}`]?.[method] as Operation | undefined)?.security.map((one) =>
      Object.keys(one).join(),
    )
  expect(keysOf('/login', 'post')).toEqual([])
  expect(keysOf('/users')).toEqual(['session'])
  expect(keysOf('/measurements', 'post')).toEqual(['stationKey'])
  expect(keysOf('/current-vehicles')).toEqual(['session', 'deviceToken', 'exchangeKey'])
  expect(keysOf('/devices/self')).toEqual(['deviceToken'])
  expect(keysOf('/systems/self')).toEqual(['exchangeKey'])

  const described = document.webhooks as Record<string, { post: Operation }>
  expect(Object.keys(described)).toEqual([...webhooks.webhookEvents, webhooks.TEST_EVENT])
  const faultOf = createValidator(document)
  for (const { post } of Object.values(described)) {
    const { schema, example } = post.requestBody?.content['application/json'] ?? { schema: {} }
    expect(faultOf(schema, example)).toBeNull()
    expect(post.parameters?.map(({ name }) => name)).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature'])
  }
})

/** The vehicle of the examples and its neighbours, with an image, and what the examples of requests add. */
async function fill(api: TestApi) {
  const station = await api.station()
  const first = lorry(1, { plateLpr: 'WGM4K281' })
  await send(station, [first, lorry(2), car(3)])
  await sendImage(station, first, 'front', await jpeg())
  const { userId } = await api.as('Vms')
  await insertDemoSigns(api.db, [testStation], userId, api.clock.now)
  const admin = await api.as(...rights.filter((right) => right !== 'Anonymization'))
  const added: Endpoint[] = [
    archive.saveSearch,
    certificates.addScale,
    certificates.addCertificate,
    current.saveSearch,
    wanted.addPlate,
    wanted.addContact,
    wanted.saveSearch,
    devices.add,
    systems.add,
    tickets.add,
    views.addView,
    webhooks.addWebhook,
  ]
  for (const endpoint of added) {
    const { body } = referenceOf(endpoint) ?? {}
    const { status, errors } = await admin.call(endpoint, {
      ...(endpoint.raw
        ? { payload: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
        : { body: body as never }),
    })
    expect([nameOf(endpoint), status, errors]).toEqual([nameOf(endpoint), 200, []])
  }
  const inspection = {
    locationId: 7,
    vehicleId: vehicleId(7, 1),
    createdAt: first.createdAt,
    state: 'announced' as const,
  }
  await admin.call(inspections.add, { headers: { 'idempotency-key': 'x' }, body: inspection })
  return admin
}

test('examples of requests get what the document describes, by an independent validator', async () => {
  const api = await testApi({ secretKey: Buffer.alloc(32, 7), webhookAllow: ['127.0.0.0/8'] })
  const admin = await fill(api)
  const document = await openApiDocument(api.app)
  const faultOf = createValidator(document)
  const faults: string[] = []
  const refused: string[] = []
  for (const endpoint of registeredEndpoints(api.app.api)) {
    if (endpoint.method !== 'GET' || ['device', 'system'].includes(String(endpoint.access))) continue
    const { params, query } = referenceOf(endpoint) ?? {}
    const answer = await admin.call(endpoint, { params: params as never, query: query as never })
    const { status, headers } = answer
    if (status >= 400) refused.push(`${nameOf(endpoint)}: ${status} ${answer.errors[0]?.code}`)
    const content = operationOf(document, endpoint).responses[status]?.content ?? {}
    const type = String(headers['content-type']).split(';')[0] ?? ''
    const schema = content[type]?.schema
    if (status === 204 || endpoint.binary === 'application/octet-stream') continue
    const fault = schema
      ? type === 'application/json' && faultOf(schema, status < 400 ? answer.body : answer.errors)
      : `${type} is not described`
    if (fault) faults.push(`${nameOf(endpoint)}: ${fault}`)
  }
  expect(faults).toEqual([])
  // Some examples name what this database does not have.
  expect(refused.filter((text) => !text.includes(': 404 '))).toEqual([])
  expect(refused.length).toBeLessThan(30)
})

/** What a program does with the generated client: it compiles only if names and types are as documented. */
const PROGRAM = `
import { getArchVehicles, getArchVehiclesExport, getCurrentVehicles, getSystemsSelf, getUsers, postLogin, postSystems } from './client.ts'

const [username = '', password = '', station = ''] = process.argv.slice(2)
const authorised = (token: string) => ({ headers: { authorization: 'Bearer ' + token } })
const fail = (response: { status: number; data: unknown }): never => {
  throw new Error(response.status + ' ' + JSON.stringify(response.data))
}

const wrong = await postLogin({ username, password: 'wrong' })
if (wrong.status !== 401 || wrong.data[0]?.code !== 'wrong-username-or-password') fail(wrong)

const signedIn = await postLogin({ username, password })
if (signedIn.status !== 200) throw fail(signedIn)
if (!signedIn.data.token) throw new Error('a second factor is required')
const user = authorised(signedIn.data.token)

const users = await getUsers({ page: 1, orderBy: 'username' }, user)
if (users.status !== 200) throw fail(users)
const names: string[] = users.data.content.map((one) => one.username)

const live = await getCurrentVehicles({ locations: [Number(station)], withAxles: true }, user)
if (live.status !== 200) throw fail(live)
const loads: (number | null)[] = live.data.content.map((one) => one.totalLoad)

const found = await getArchVehicles(
  { dateTimeStart: '2026-10-20T00:00:00Z', dateTimeEnd: '2026-10-21T00:00:00Z', locations: [7] }, user)
if (found.status !== 200) throw fail(found)

const refused = await getArchVehicles({ dateTimeStart: 'yesterday', dateTimeEnd: '2026-10-21T00:00:00Z', locations: [7] }, user)
if (refused.status !== 400) throw fail(refused)
const fields: (string | null)[] = refused.data.map((error) => error.path)

const added = await postSystems(
  { name: 'Model', locationIds: [7], rights: ['ArchiveMeasurements'], plates: false, validUntil: '2027-12-31' }, user)
if (added.status !== 200) throw fail(added)
const self = await getSystemsSelf(authorised(added.data.key))
if (self.status !== 200) throw fail(self)
const forbidden = await getUsers({}, authorised(added.data.key))

export const mistakes = () => [
  // @ts-expect-error: no such order
  getUsers({ orderBy: 'colour' }, user),
  // @ts-expect-error: no such field
  users.data.content[0]?.colour,
  // @ts-expect-error: only of refusals
  signedIn.data[0].code,
  // @ts-expect-error: required
  getArchVehiclesExport({ month: '2026-10' }, user),
]

console.log(JSON.stringify({ names, loads, found: found.data.content.length, fields, stations: self.data.locationIds, forbidden: forbidden.status }))
`

test('a generated client compiles and calls the portal with types', async () => {
  const api = await testApi()
  await send(await api.station(), [lorry(1), car(2)])
  const user = await api.as('UserManagement', 'CurrentMeasurements', 'ArchiveMeasurements', 'Exchange')
  await api.app.api.http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = api.app.api.http.server.address() as AddressInfo
  const folder = await mkdtemp(join(tmpdir(), 'rogatka-client-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))

  await generate(
    {
      input: { target: `http://127.0.0.1:${port}/api/v1/openapi.json` },
      output: { target: './client.ts', client: 'fetch', baseUrl: `http://127.0.0.1:${port}` },
    },
    folder,
  )
  await writeFile(join(folder, 'program.ts'), PROGRAM)
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  const compilerOptions = {
    strict: true,
    target: 'es2024',
    module: 'nodenext',
    lib: ['es2024', 'dom', 'dom.iterable'],
    typeRoots: [join(root, 'node_modules/@types')],
    types: ['node'],
    rewriteRelativeImportExtensions: true,
    outDir: 'compiled',
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  const compiled = await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]).catch(
    (error: { stdout: string }) => error,
  )
  expect(compiled.stdout).toBe('')

  const program = [join(folder, 'compiled/program.js'), user.username, PASSWORD, '7']
  const { stdout } = await run(process.execPath, program)
  expect(JSON.parse(stdout)).toEqual({
    names: expect.arrayContaining([user.username]),
    loads: expect.arrayContaining([42_000, 1_500]),
    found: 2,
    fields: ['dateTimeStart'],
    stations: [7],
    forbidden: 403,
  })
})
