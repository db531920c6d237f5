import type { App } from '../app.ts'

/** The OpenAPI document of a server, as a client gets it. */
export type Document = {
  paths: Record<string, Record<string, object>>
  components: { schemas: Record<string, object> } & Record<string, Record<string, object>>
} & Record<string, unknown>

export const openApiDocument = async ({ api }: App): Promise<Document> =>
  (await api.http.inject('/api/v1/openapi.json')).json()

/** The document in which objects have no other fields than those described: it permits new ones, of which a test must hear. */
export const closed = <T>(part: T): T =>
  JSON.parse(JSON.stringify(part), (_key, value) =>
    value?.type === 'object' && 'properties' in value && !('additionalProperties' in value)
      ? { ...value, additionalProperties: false }
      : value,
  )

/**
 * A part of the document with all references replaced by what they name, without other fields in objects.
 */
export function resolved<T>(part: T, { components }: Document): T {
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve)
    if (typeof value !== 'object' || value === null) return value
    if ('$ref' in value && typeof value.$ref === 'string') {
      const [kind = '', name = ''] = value.$ref.replace('#/components/', '').split('/')
      return resolve(components[kind]?.[name])
    }
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item)]))
  }
  return closed(resolve(part) as T)
}
