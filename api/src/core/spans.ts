import { AsyncLocalStorage } from 'node:async_hooks'
import type { Attributes, Span } from '@opentelemetry/api'

/*
 * Spans of traces. While telemetry is off, each function calls its work and does nothing else, and no module of
 * OpenTelemetry is loaded: here are only its types, and `telemetry.ts` loads the rest.
 *
 * Attributes never have values of users or stations: no addresses with their queries, bodies, plates, tokens,
 * parameters of statements, messages of errors or IP addresses.
 */

export type SpanKind = 'internal' | 'server' | 'client'

/** Creates spans. */
export type Tracing = {
  /** The first span of a trace; null if it is not sampled. `traceparent`: of the caller, which decides, then. */
  startRoot: (name: string, kind: SpanKind, attributes: Attributes, traceparent?: string) => Span | null
  /** `links`: other spans that it works for. */
  startChild: (parent: Span, name: string, kind: SpanKind, attributes: Attributes, links: readonly Span[]) => Span
}

/** A sampled span, with what its trace in this process has left. */
export type OpenSpan = { span: Span; trace: { left: number; leftOut: number }; isRoot: boolean; isEnded: boolean }

/** Spans of a trace in a process: reports and imports run thousands of statements. */
const MAX_SPANS = 1_000
const LEFT_OUT = 'rogatka.spans_left_out'

let tracing: Tracing | undefined
const active = new AsyncLocalStorage<OpenSpan | undefined>()

/** Turns telemetry on, or off if undefined. */
export function setTracing(it: Tracing | undefined): void {
  tracing = it
}

/** The span that the caller works for, if telemetry is on and its trace is sampled. */
export function activeSpan(): OpenSpan | undefined {
  if (!tracing) return undefined
  const open = active.getStore()
  // What a request started and left running is not part of it.
  return open?.isEnded ? undefined : open
}

/** Runs `work` as part of a span, also across asynchronous calls. */
export const runIn = <T>(open: OpenSpan | undefined, work: () => T): T => (open ? active.run(open, work) : work())

/** Runs `work` as part of none, whatever the caller works for. */
const runOutside = <T>(work: () => T): T => (active.getStore() ? active.run(undefined, work) : work())

/** Begins a trace; undefined if telemetry is off or the trace is not sampled. */
export function startRoot(
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  traceparent?: string,
): OpenSpan | undefined {
  const span = tracing?.startRoot(name, kind, attributes, traceparent)
  return span ? { span, trace: { left: MAX_SPANS, leftOut: 0 }, isRoot: true, isEnded: false } : undefined
}

function startChild(
  parent: OpenSpan,
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  links: readonly OpenSpan[] = [],
): OpenSpan | undefined {
  const { trace } = parent
  if (trace.left === 0) trace.leftOut += 1
  if (trace.left === 0 || !tracing) return undefined
  trace.left -= 1
  const linked = links.map(({ span }) => span)
  return {
    span: tracing.startChild(parent.span, name, kind, attributes, linked),
    trace,
    isRoot: false,
    isEnded: false,
  }
}

/** Ends a span, once. `error`: the type of the error that it ended with. */
export function endSpan(open: OpenSpan, attributes: Attributes = {}, error?: string): void {
  if (open.isEnded) return
  open.isEnded = true
  const { span, trace, isRoot } = open
  span.setAttributes({
    ...attributes,
    ...(error !== undefined && { 'error.type': error }),
    ...(isRoot && trace.leftOut > 0 && { [LEFT_OUT]: trace.leftOut }),
  })
  // The number of ERROR, without a message.
  if (error !== undefined) span.setStatus({ code: 2 })
  span.end()
}

/** The code of an error, or its class: its message may have values. */
export function errorType(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown }
  if (typeof code === 'string' && /^[\w-]{1,40}$/.test(code)) return code
  return error instanceof Error ? error.constructor.name : typeof error
}

/** Runs `work` as a span and ends it with the result, whose attributes `describe` returns. */
async function runSpan<T>(
  open: OpenSpan | undefined,
  work: () => Promise<T>,
  describe?: (result: T) => Attributes,
): Promise<T> {
  if (!open) return work()
  try {
    const result = await active.run(open, work)
    endSpan(open, describe?.(result))
    return result
  } catch (error) {
    endSpan(open, {}, errorType(error))
    throw error
  }
}

/** Runs `work` as a trace of its own: a job. */
export function rootSpan<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  if (!tracing) return work()
  const open = startRoot(name, 'internal', attributes)
  return open ? runSpan(open, work) : runOutside(work)
}

/** The header `traceparent` for a request to another system as part of a span. */
export function traceparentOf({ span }: OpenSpan): string {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}

/** Sends a request to another system, with these headers; `describe` has the attributes of its result. */
export function clientSpan<T>(
  name: string,
  attributes: Attributes,
  send: (headers: Record<string, string>) => Promise<T>,
  describe: (result: T) => Attributes,
): Promise<T> {
  const parent = activeSpan()
  const open = parent && startChild(parent, name, 'client', attributes)
  return runSpan(open, () => send(open ? { traceparent: traceparentOf(open) } : {}), describe)
}

/**
 * Runs work that several spans share: as part of the first one that is sampled, with links to the others. With none it
 * is part of no span.
 */
export function sharedSpan<T>(
  name: string,
  members: readonly (OpenSpan | undefined)[],
  work: () => Promise<T>,
): Promise<T> {
  if (!tracing) return work()
  const [parent, ...others] = members.filter((member) => member && !member.isEnded) as OpenSpan[]
  if (!parent) return runOutside(work)
  const open = startChild(parent, name, 'internal', { 'rogatka.group_size': members.length }, others)
  return open ? runSpan(open, work) : runOutside(work)
}

/** A statement longer than this is cut in its span. */
const MAX_STATEMENT = 2_000

/** Runs a statement as a span: its text has parameters by number, without their values. */
export function statementSpan<T extends { rowCount: number | null }>(
  parent: OpenSpan,
  text: string,
  work: () => Promise<T>,
): Promise<T> {
  const statement = text.trim()
  const [command = 'sql'] = /^\w+/.exec(statement) ?? []
  const open = startChild(parent, command.toLowerCase(), 'client', {
    'db.system.name': 'postgresql',
    'db.query.text': statement.slice(0, MAX_STATEMENT),
  })
  return runSpan(open, work, ({ rowCount }) => ({ 'db.response.returned_rows': rowCount ?? 0 }))
}
