import { getHeapStatistics } from 'node:v8'
import { Counter, collectDefaultMetrics, Gauge, type GaugeConfiguration, Histogram, Registry } from 'prom-client'
import { freeBytes } from './disk.ts'
import { shareMetrics } from './workers.ts'

/** Vehicles of a batch by result. */
export type BatchCounts = { accepted: number; duplicates: number; rejected: number }

export type Metrics = {
  registry: Registry
  /** Counts a response by its route, the pattern, not the address. */
  recordResponse: (labels: { method: string; route: string; status: number }, seconds: number) => void
  /** Counts the vehicles of a batch that was stored. */
  recordBatch: (counts: BatchCounts, seconds: number) => void
}

/** What the database says of the whole portal; but for the clock the same in all processes. */
export type PortalFigures = {
  stationsSilent: number
  signsUnavailable: number
  webhookPending: number
  webhookOldestSeconds: number
  outboxOldestSeconds: number
  jobsFailed: number
  jobsOldestSeconds: number
  jobsScheduledSeconds: number
  clockDifferenceSeconds: number
  importsRunning: number
  evidenceBroken: number
  sealingSeconds: number
  anchorSeconds: number
  partitionsOverdue: number
}

/** What this process observes of itself. */
type Sources = {
  dataDir: string
  diskReserve: number
  ready: () => boolean
  liveEntries: () => number
  /** Statements and transactions that wait for a connection. */
  poolWaiting: () => number
  /** Undefined: not known, as the database does not respond. */
  readFigures: () => Promise<PortalFigures | undefined>
}

let processMetrics: Registry | undefined

/**
 * Memory, event loop and garbage collection of this process. Collected once for all portals in it, of tests or of a simulation: their
 * observers and timers cannot be removed.
 */
function metricsOfProcess(): Registry {
  if (!processMetrics) {
    processMetrics = new Registry()
    collectDefaultMetrics({ register: processMetrics })
  }
  return processMetrics
}

/** The metrics of this process; those of all processes together are put together in `workers.ts`. */
export function createMetrics(): Metrics {
  const registry = Registry.merge([metricsOfProcess()])
  shareMetrics(registry)
  const responses = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by route',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  const vehicles = new Counter({
    name: 'rogatka_vehicles_total',
    help: 'Vehicles that stations sent, by result: accepted, duplicate, rejected',
    labelNames: ['result'],
    registers: [registry],
  })
  const batches = new Histogram({
    name: 'rogatka_ingest_seconds',
    help: 'Time to check and store the vehicles of a request of a station',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  const countVehicles = ({ accepted, duplicates, rejected }: BatchCounts) => {
    vehicles.inc({ result: 'accepted' }, accepted)
    vehicles.inc({ result: 'duplicate' }, duplicates)
    vehicles.inc({ result: 'rejected' }, rejected)
  }
  // From 0, so that the first ones are an increase.
  countVehicles({ accepted: 0, duplicates: 0, rejected: 0 })
  return {
    registry,
    recordResponse: (labels, seconds) => responses.observe(labels, seconds),
    recordBatch: (counts, seconds) => {
      countVehicles(counts)
      batches.observe(seconds)
    },
  }
}

/** Adds the metrics that are read when they are asked for. A value that is not known is left out. */
export function addGauges(registry: Registry, sources: Sources): void {
  const gauge = (
    { name, help, aggregator }: Pick<GaugeConfiguration<never>, 'name' | 'help' | 'aggregator'>,
    read: () => number | undefined | Promise<number | undefined>,
  ) =>
    new Gauge({
      name,
      help,
      ...(aggregator && { aggregator }),
      registers: [registry],
      async collect() {
        const value = await read()
        if (value === undefined) this.remove()
        else this.set(value)
      },
    })
  gauge(
    { name: 'rogatka_ready', help: '1 when the live window is complete and the database answers', aggregator: 'min' },
    () => (sources.ready() ? 1 : 0),
  )
  gauge(
    {
      name: 'rogatka_start_time_seconds',
      help: 'When the latest server process started, in seconds since 1970',
      aggregator: 'max',
    },
    () => startTime,
  )
  gauge(
    {
      name: 'rogatka_disk_free_bytes',
      help: 'Room on the disk of DATA_DIR; below DISK_RESERVE_MB nothing is taken from stations',
      aggregator: 'min',
    },
    async () => (await freeBytes(sources.dataDir)) ?? undefined,
  )
  gauge({ name: 'rogatka_disk_reserve_bytes', help: 'DISK_RESERVE_MB', aggregator: 'max' }, () => sources.diskReserve)
  new Gauge({
    name: 'rogatka_memory_bytes',
    help: 'Memory of the process: resident as a whole; the V8 heap as used, reserved and limited; external: outside the heap, array buffers included',
    labelNames: ['part'],
    aggregator: 'max',
    registers: [registry],
    collect() {
      const { rss, heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage()
      this.set({ part: 'resident' }, rss)
      this.set({ part: 'heap_used' }, heapUsed)
      this.set({ part: 'heap_reserved' }, heapTotal)
      this.set({ part: 'heap_limit' }, getHeapStatistics().heap_size_limit)
      this.set({ part: 'external' }, external)
      this.set({ part: 'array_buffers' }, arrayBuffers)
    },
  })
  gauge(
    {
      name: 'rogatka_live_window_entries',
      help: 'Vehicles, changes and removals that the live window holds in memory',
      aggregator: 'max',
    },
    sources.liveEntries,
  )
  gauge(
    { name: 'rogatka_pool_waiting', help: 'Statements and transactions that wait for a database connection' },
    sources.poolWaiting,
  )
  // All processes read the same, but for the difference to their own clock.
  for (const [figure, { name, help }] of Object.entries(FIGURES))
    gauge({ name, help, aggregator: 'max' }, async () => (await sources.readFigures())?.[figure as keyof PortalFigures])
}

const startTime = Math.round(Date.now() / 1_000 - process.uptime())

const FIGURES: Record<keyof PortalFigures, { name: string; help: string }> = {
  stationsSilent: { name: 'rogatka_stations_silent', help: 'Open stations without data for longer than their limit' },
  signsUnavailable: { name: 'rogatka_signs_unavailable', help: 'Signs that do not answer' },
  webhookPending: { name: 'rogatka_webhook_pending', help: 'Events that wait to be sent to active webhooks' },
  webhookOldestSeconds: {
    name: 'rogatka_webhook_oldest_seconds',
    help: 'How long the oldest event has waited to be sent to an active webhook; 0: none waits',
  },
  outboxOldestSeconds: {
    name: 'rogatka_outbox_oldest_seconds',
    help: 'Age of the oldest message of the outbox that failed and is tried again; 0: there is none',
  },
  jobsFailed: { name: 'rogatka_jobs_failed', help: 'Jobs of the last 30 days that failed and are not tried again' },
  jobsOldestSeconds: {
    name: 'rogatka_jobs_oldest_seconds',
    help: 'How long the oldest job that is due has waited; 0: none waits',
  },
  jobsScheduledSeconds: {
    name: 'rogatka_jobs_scheduled_seconds',
    help: 'How long ago a recurring job was scheduled last, which is done each minute; 0: before the first one',
  },
  clockDifferenceSeconds: {
    name: 'rogatka_clock_difference_seconds',
    help: 'By how much the clocks of the process and of the database differ',
  },
  importsRunning: { name: 'rogatka_import_running', help: 'Imports that are being tried or run' },
  evidenceBroken: {
    name: 'rogatka_evidence_broken',
    help: '1 if the last check of the chains of evidence found a fault, failed, or is older than two days, else 0',
  },
  sealingSeconds: {
    name: 'rogatka_sealing_seconds',
    help: 'How long the oldest line has waited for its seal, or vehicles and images have not been sealed; 0: nothing was',
  },
  anchorSeconds: { name: 'rogatka_anchor_seconds', help: 'Age of the last anchor of the chains of evidence; 0: none' },
  partitionsOverdue: {
    name: 'rogatka_partitions_overdue',
    help: 'Partitions that should have been dropped for their age more than a day ago',
  },
}
