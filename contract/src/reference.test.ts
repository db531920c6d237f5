import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'

/*
 * What the last release promised (docs/api-changes.md): its operations, their parameters and fields. New ones may come, none may
 * go, change its type or become required.
 */

const BASELINE = new URL('../api-0.2.0.txt', import.meta.url)

/** Changes that docs/api-changes.md announces. */
const ANNOUNCED = ['GET /station-health response[].checks[].evidence.clockSeconds']

type Schema = {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  additionalProperties?: Schema | false
}

/** Fields below a schema with their types: `content[].lane.laneNumber integer`. */
function fieldsOf(schema: Schema, path: string, required = true): { path: string; type: string; required: boolean }[] {
  const parts = schema.anyOf ?? []
  const below = parts.flatMap((part) => fieldsOf(part, path, required)).filter((field) => field.path !== path)
  const types = [schema.type ?? [], ...parts.map(({ type }) => type ?? [])].flat()
  return [
    { path, type: [...new Set(types)].sort().join('|') || 'any', required },
    ...below,
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
      fieldsOf(field, `${path}.${name}`, schema.required?.includes(name) ?? false),
    ),
    ...(schema.items ? fieldsOf(schema.items, `${path}[]`) : []),
  ]
}

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Schema =>
  z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === 'date') jsonSchema.type = 'string'
    },
  }) as Schema

/** Operations and fields with their types; required ones of requests end with an exclamation mark. */
async function describeContract(folder: URL): Promise<Map<string, string>> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const modules = await Promise.all(files.map((name) => import(new URL(name, folder).href)))
  const endpoints = modules
    .flatMap((module) => Object.values(module))
    .filter((value): value is Endpoint => typeof value === 'object' && value !== null && 'access' in value)
  const lines = endpoints.flatMap((endpoint) => {
    const name = `${endpoint.method} ${endpoint.path}`
    const requests = (['params', 'query', 'body'] as const).flatMap((part) => {
      const schema = endpoint[part]
      return schema ? fieldsOf(schemaOf(schema, 'input'), part).map((it) => ({ ...it, isRequest: true })) : []
    })
    const response = endpoint.response
      ? fieldsOf(schemaOf(endpoint.response, 'output'), 'response').map((it) => ({ ...it, isRequest: false }))
      : []
    return [
      [name, ''],
      ...[...requests, ...response].map(({ path, type, required, isRequest }) => [
        `${name} ${path}`,
        isRequest && required ? `${type}!` : type,
      ]),
    ] as [string, string][]
  })
  return new Map(lines)
}

test('keeps the operations, parameters and fields of the last release', async () => {
  const present = await describeContract(new URL('./', import.meta.url))
  const promised = new Map(
    readFileSync(BASELINE, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split('\t') as [string, string]),
  )
  expect(promised.size).toBeGreaterThan(1_000)
  const broken = [...promised].filter(([name, type]) => !ANNOUNCED.includes(name) && !keeps(present.get(name), type))
  expect(broken.map(([name]) => `${name}: ${promised.get(name)} is now ${present.get(name)}`)).toEqual([])
  // What clients do not send yet must not become required.
  const isNew = (name: string) => !promised.has(name) && promised.has(name.split(' ').slice(0, 2).join(' '))
  const demanded = [...present].filter(
    ([name, type]) => /^\w+ \S+ (query|body)\.\w+$/.test(name) && type.endsWith('!') && isNew(name),
  )
  expect(demanded.map(([name]) => name)).toEqual([])
})

/** Whether a field has at least the types of before, and is not required if it was not. */
function keeps(present: string | undefined, promised: string): boolean {
  if (present === undefined) return false
  if (present.endsWith('!') && !promised.endsWith('!')) return false
  const typesOf = (text: string) => text.replace('!', '').split('|')
  return typesOf(promised).every((type) => typesOf(present).includes(type))
}
