import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from '../core/database.ts'
import { notifyImages } from '../core/live-events.ts'
import type { PassageKey } from '../core/passage.ts'

type ImageKey = Pick<PassageKey, 'id' | 'createdAt'>

/** Batching delay: commits with NOTIFY are serialised in the whole cluster. */
const DELAY_MS = 100
/** Beyond it the oldest are dropped: a reloaded live list has their images. */
const MAX_PENDING = 10_000

/** Notifies all processes of stored images, in batches. */
export function createImageNotifier(
  db: Pool,
  log: Pick<FastifyBaseLogger, 'warn'>,
  notify: (db: Pool, keys: readonly ImageKey[]) => Promise<void> = notifyImages,
) {
  let pending = new Map<string, ImageKey>()
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> = Promise.resolve()

  const send = async () => {
    const keys = pending
    if (keys.size === 0) return
    pending = new Map()
    try {
      await notify(db, [...keys.values()])
    } catch (error) {
      log.warn({ err: error }, 'images: notification failed, retrying')
      pending = new Map([...keys, ...pending])
      schedule()
    }
  }
  const schedule = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      sending = sending.then(send)
    }, DELAY_MS).unref()
  }

  return {
    add: (key: ImageKey): void => {
      pending.set(`${key.id}@${key.createdAt.getTime()}`, key)
      if (pending.size > MAX_PENDING) pending.delete(pending.keys().next().value as string)
      schedule()
    },
    /** Sends pending notifications on shutdown. */
    stop: async (): Promise<void> => {
      clearTimeout(timer)
      await sending
      await send()
      clearTimeout(timer)
    },
  }
}
