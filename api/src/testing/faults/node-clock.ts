import { createRequire, syncBuiltinESMExports } from 'node:module'
import { real } from './real.ts'
import { owners, type Timer } from './world.ts'

const require = createRequire(import.meta.url)

type Handle = Timer & { ref: () => Handle; unref: () => Handle; hasRef: () => boolean; [Symbol.dispose]: () => void }
type Callback = (...args: unknown[]) => void

const isVirtual = (handle: unknown): handle is Handle =>
  typeof handle === 'object' && handle !== null && 'everyMs' in handle && 'order' in handle

const toHandle = (timer: Timer, remove: (timer: Timer) => void): Handle =>
  Object.assign(timer, {
    ref: () => timer as Handle,
    unref: () => timer as Handle,
    hasRef: () => false,
    [Symbol.dispose]: () => remove(timer),
  })

const addTimer = (isRepeated: boolean) =>
  function add(callback: Callback, ms = 1, ...args: unknown[]) {
    const store = owners.getStore()
    if (!store) return (isRepeated ? real.setInterval : real.setTimeout)(callback, ms, ...args)
    const { world, owner } = store
    const timer = world.addTimer(owner, ms, () => callback(...args), isRepeated ? Math.max(1, ms) : null)
    if (!owner.isAlive) world.removeTimer(timer)
    return toHandle(timer, world.removeTimer)
  }

const removeTimer = (handle: unknown) => {
  if (isVirtual(handle)) handle[Symbol.dispose]()
  else real.clearTimeout(handle as NodeJS.Timeout)
}

/** `setTimeout` of node:timers/promises. */
function sleep<T>(ms = 1, value?: T, { signal }: { signal?: AbortSignal; ref?: boolean } = {}): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(handle)
      reject(Object.assign(new Error('The operation was aborted'), { name: 'AbortError', code: 'ABORT_ERR' }))
    }
    const handle = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve(value)
    }, ms)
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}

const simulatedDate = new Proxy(real.Date, {
  construct(target, args, newTarget) {
    const world = owners.getStore()?.world
    return args.length === 0 && world ? new target(world.nowMs()) : Reflect.construct(target, args, newTarget)
  },
  get: (target, name, receiver) =>
    name === 'now' ? () => owners.getStore()?.world.nowMs() ?? real.Date.now() : Reflect.get(target, name, receiver),
})

function abortTimeout(ms: number): AbortSignal {
  if (!owners.getStore()) return real.abortTimeout(ms)
  const controller = new AbortController()
  setTimeout(() => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')), ms)
  return controller.signal
}

/**
 * Replaces the clock, the timers and the random numbers of Node.js for code that runs in a simulated process; all other
 * code keeps the real ones. `fetch` of a simulated process is that of its world.
 */
export function simulateNode(): void {
  const timersPromises = require('node:timers/promises') as Record<string, unknown>
  const crypto = require('node:crypto') as Record<string, unknown>
  const randomBytes = crypto.randomBytes as (size: number) => Buffer
  const realSleep = timersPromises.setTimeout as typeof sleep
  timersPromises.setTimeout = ((...args: Parameters<typeof sleep>) =>
    (owners.getStore() ? sleep : realSleep)(...args)) as typeof sleep
  crypto.randomBytes = (size: number) => {
    const world = owners.getStore()?.world
    return world ? Buffer.from(Array.from({ length: size }, () => world.drawn.below(256))) : randomBytes(size)
  }
  syncBuiltinESMExports()
  Object.assign(globalThis, {
    setTimeout: addTimer(false),
    setInterval: addTimer(true),
    clearTimeout: removeTimer,
    clearInterval: removeTimer,
    Date: simulatedDate,
    fetch: (...args: Parameters<typeof fetch>) => (owners.getStore()?.world.fetch ?? real.fetch)(...args),
  })
  Math.random = () => owners.getStore()?.world.drawn.next() ?? real.random()
  performance.now = () => owners.getStore()?.world.nowMs() ?? real.now()
  AbortSignal.timeout = abortTimeout
}
