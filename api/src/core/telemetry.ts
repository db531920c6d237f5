import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SpanContext } from '@opentelemetry/api'
import type { SpanExporter } from '@opentelemetry/sdk-trace'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import { setTracing, type Tracing } from './spans.ts'
import { VERSION } from './version.ts'

type Telemetry = {
  /** Sends what is left, for at most two seconds, and turns telemetry off. */
  stop: () => Promise<void>
}

type Settings = Pick<Config, 'otlpEndpoint' | 'serviceName' | 'tracesPercent'>

/** Spans that wait to be sent; further ones are left out. */
const QUEUE = { maxQueueSize: 4_096, maxExportBatchSize: 512 }
/** When spans are sent, and how long a response of the collector is waited for, repetitions included. */
const TIMING = { delayMs: 2_000, timeoutMs: 5_000 }
/** A response that never ends is given up after this multiple of the timeout. */
const EXPORT_TIMEOUTS = 2
/** Requests to a collector at a time. */
const CONCURRENCY = 2
const STOP_TIMEOUT_MS = 2_000
/** Failures within this time are logged once. */
const LOG_INTERVAL_MS = 60_000

/**
 * Turns traces on if OTEL_EXPORTER_OTLP_ENDPOINT is set; otherwise nothing is loaded. A collector that does not respond
 * neither delays nor fails anything: its spans are lost.
 */
export async function startTelemetry(
  { otlpEndpoint, serviceName, tracesPercent }: Settings,
  log: Pick<FastifyBaseLogger, 'warn'>,
  { delayMs, timeoutMs } = TIMING,
): Promise<Telemetry> {
  if (otlpEndpoint === undefined) return { stop: async () => {} }
  const { ROOT_CONTEXT, SpanKind, trace } = await import('@opentelemetry/api')
  const { BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } = await import(
    '@opentelemetry/sdk-trace'
  )
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
  const { resourceFromAttributes } = await import('@opentelemetry/resources')

  const exporter = new OTLPTraceExporter({
    url: `${otlpEndpoint.replace(/\/$/, '')}/v1/traces`,
    timeoutMillis: timeoutMs,
    concurrencyLimit: CONCURRENCY,
  })
  const provider = new TracerProvider({
    // Nothing of the machine: no host name, no addresses.
    resource: resourceFromAttributes({
      'service.name': serviceName,
      'service.version': VERSION,
      'service.instance.id': randomUUID(),
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(tracesPercent / 100) }),
    spanProcessors: [
      new BatchSpanProcessor({
        ...QUEUE,
        scheduledDelayMillis: delayMs,
        exportTimeoutMillis: EXPORT_TIMEOUTS * timeoutMs,
        exporter: withWarnings(exporter, log),
      }),
    ],
  })
  const tracer = provider.getTracer('rogatka', VERSION)
  const kinds = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT }
  const tracing: Tracing = {
    startRoot: (name, kind, attributes, traceparent) => {
      const remote = traceparent === undefined ? null : parseTraceparent(traceparent)
      const context = remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, context)
      return span.isRecording() ? span : null
    },
    startChild: (parent, name, kind, attributes, links) =>
      tracer.startSpan(
        name,
        { kind: kinds[kind], attributes, links: links.map((span) => ({ context: span.spanContext() })) },
        trace.setSpan(ROOT_CONTEXT, parent),
      ),
  }
  setTracing(tracing)
  return {
    stop: async () => {
      setTracing(undefined)
      await Promise.race([provider.shutdown(), sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]).catch(() => {})
    },
  }
}

/** The context of a header `traceparent` (W3C Trace Context, section 3.2); null if it is invalid. */
export function parseTraceparent(header: string): (SpanContext & { isRemote: true }) | null {
  const [, version, traceId = '', spanId = '', flags = '', rest] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(header) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return null
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null
  // Only the flag that the trace is sampled is known.
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
}

/** Counts and logs what could not be sent, at most once a minute, and reports it as done. */
function withWarnings(exporter: SpanExporter, log: Pick<FastifyBaseLogger, 'warn'>): SpanExporter {
  let lost = 0
  let loggedAt = Number.NEGATIVE_INFINITY
  const warn = (count: number, reason: string) => {
    lost += count
    if (performance.now() - loggedAt < LOG_INTERVAL_MS) return
    log.warn({ spans: lost, reason }, 'telemetry: spans could not be sent')
    loggedAt = performance.now()
    lost = 0
  }
  return {
    export: (spans, done) =>
      exporter.export(spans, ({ error, code }) => {
        if (code !== 0) warn(spans.length, error?.message || error?.name || 'unknown')
        done({ code: 0 })
      }),
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  }
}
