import type { ServerResponse } from 'node:http'
import { type ServiceRequest, startService } from './services.ts'

type Value = { stringValue?: string; intValue?: number; doubleValue?: number; boolValue?: boolean }
type Attribute = { key: string; value: Value }
type WireSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Attribute[]
  links?: { traceId: string; spanId: string }[]
  status: { code: number; message?: string }
}
type Export = {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: WireSpan[] }[] }[]
}

/** A span as exported, with its attributes by name and those of its resource. */
export type CollectedSpan = Omit<WireSpan, 'attributes'> & {
  attributes: Record<string, unknown>
  resource: Record<string, unknown>
}

const byName = (attributes: readonly Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

/** A collector of traces (OTLP over HTTP with JSON), which keeps what it receives and answers as the test says. */
export async function startCollector(
  respond: (response: ServerResponse, request: ServiceRequest) => unknown = (response) =>
    response.setHeader('content-type', 'application/json').end('{}'),
) {
  const { address, requests, hangUp } = await startService(respond)
  const received = () =>
    requests
      .filter(({ method, path }) => method === 'POST' && path === '/v1/traces')
      .flatMap(({ body }) => (JSON.parse(body) as Export).resourceSpans)
  return {
    url: `http://${address}`,
    requests,
    hangUp,
    /** All bytes received. */
    text: () => requests.map(({ body, headers }) => JSON.stringify(headers) + body).join('\n'),
    spans: (): CollectedSpan[] =>
      received().flatMap(({ resource, scopeSpans }) =>
        scopeSpans
          .flatMap(({ spans }) => spans)
          .map((span) => ({
            ...span,
            attributes: byName(span.attributes),
            resource: byName(resource.attributes),
          })),
      ),
  }
}
