import { Worker } from 'node:worker_threads'
import { clientGone } from './disconnect.ts'
import { createSemaphore } from './semaphore.ts'

/** Charts that the thread works on: one is drawn while the other is turned into pixels. */
const CONCURRENCY = 2
/** Of the thread's heap; a chart takes a small part of it. */
const HEAP_MB = 256

/** A module whose `draw` makes the chart, and what it is made from: plain values, which are copied to the thread. */
export type ChartJob = { module: string; input: unknown }
export type ChartRequest = ChartJob & { id: number }
export type ChartReply = { id: number } & ({ image: Uint8Array } | { error: unknown })

type Waiting = { resolve: (image: Buffer) => void; reject: (error: unknown) => void }

const turns = createSemaphore(CONCURRENCY)
const waiting = new Map<number, Waiting>()
let thread: Worker | undefined
let last = 0

/**
 * Draws a chart as PNG in a thread of its own, so that nobody else waits for it. Once `signal` aborts, a chart that
 * waits is not drawn.
 */
export async function drawInThread(job: ChartJob, signal?: AbortSignal): Promise<Buffer> {
  const leave = await turns.take(signal)
  if (!leave) throw clientGone()
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      thread ??= startThread()
      last += 1
      waiting.set(last, { resolve, reject })
      thread.ref()
      thread.postMessage({ ...job, id: last } satisfies ChartRequest)
    })
  } finally {
    leave()
  }
}

function startThread(): Worker {
  const started = new Worker(new URL('./chart-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  })
  const fail = (error: unknown) => {
    if (thread === started) thread = undefined
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  started.on('message', (reply: ChartReply) => {
    const job = waiting.get(reply.id)
    waiting.delete(reply.id)
    // A thread without work keeps no process alive.
    if (waiting.size === 0) started.unref()
    if ('image' in reply) job?.resolve(Buffer.from(reply.image))
    else job?.reject(reply.error)
  })
  started.on('error', fail)
  started.on('exit', (code) => fail(new Error(`The thread that draws charts ended with ${code}`)))
  return started
}
