import { Worker } from 'node:worker_threads'
import { disconnectError } from './disconnect.ts'
import { createSemaphore } from './semaphore.ts'

/** Charts in work at a time: one is built while another is rasterised. */
const CONCURRENCY = 2
/** Heap limit of the thread; one chart takes a small part of it. */
const HEAP_MB = 256
/** An idle thread ends after this time, which frees its memory. */
const IDLE_MS = 60_000

/** The module whose `draw` builds the chart, and its input: plain values, which are copied to the thread. */
export type ChartJob = { module: string; input: unknown }
export type ChartRequest = ChartJob & { id: number }
export type ChartReply = { id: number } & ({ image: Uint8Array } | { error: unknown })

type PendingChart = { resolve: (image: Buffer) => void; reject: (error: unknown) => void }

const semaphore = createSemaphore(CONCURRENCY)
const pending = new Map<number, PendingChart>()
let thread: Worker | undefined
let idleTimer: NodeJS.Timeout | undefined
let lastId = 0

/**
 * Renders a chart as PNG in a worker thread, so that the event loop is not blocked. A queued chart is dropped when
 * `signal` aborts.
 * @throws if aborted while queued
 */
export async function drawInThread(job: ChartJob, signal?: AbortSignal): Promise<Buffer> {
  const release = await semaphore.acquire(signal)
  if (!release) throw disconnectError()
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      clearTimeout(idleTimer)
      thread ??= startThread()
      lastId += 1
      pending.set(lastId, { resolve, reject })
      thread.ref()
      thread.postMessage({ ...job, id: lastId } satisfies ChartRequest)
    })
  } finally {
    release()
  }
}

function endThread(): void {
  void thread?.terminate()
  thread = undefined
}

function startThread(): Worker {
  const worker = new Worker(new URL('./chart-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  })
  const fail = (error: unknown) => {
    // Charts in work belong to a later thread.
    if (thread !== worker) return
    thread = undefined
    for (const { reject } of pending.values()) reject(error)
    pending.clear()
  }
  worker.on('message', (reply: ChartReply) => {
    const job = pending.get(reply.id)
    pending.delete(reply.id)
    if (pending.size === 0) {
      // An idle thread does not keep the process alive.
      worker.unref()
      idleTimer = setTimeout(endThread, IDLE_MS).unref()
    }
    if ('image' in reply) job?.resolve(Buffer.from(reply.image))
    else job?.reject(reply.error)
  })
  worker.on('error', fail)
  worker.on('exit', (code) => fail(new Error(`The thread that draws charts ended with ${code}`)))
  return worker
}
