import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from '../core/database.ts'
import { notifyImages } from '../core/live-events.ts'
import type { PassageKey } from '../core/passage.ts'

type ImageKey = Pick<PassageKey, 'id' | 'createdAt'>

/** Commits that notify wait for each other, in the whole cluster; nobody sees a picture 100 ms later. */
const DELAY_MS = 100
/** Beyond it the oldest are dropped: a live list loaded anew has their pictures. */
const MAX_WAITING = 10_000

/** Notifies all processes of new pictures some moments after they were stored, those of many vehicles at once. */
export function createImageNotices(
  db: Pool,
  log: Pick<FastifyBaseLogger, 'warn'>,
  announce: (db: Pool, keys: readonly ImageKey[]) => Promise<void> = notifyImages,
) {
  let waiting = new Map<string, ImageKey>()
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> = Promise.resolve()

  const send = async () => {
    const keys = waiting
    if (keys.size === 0) return
    waiting = new Map()
    try {
      await announce(db, [...keys.values()])
    } catch (error) {
      log.warn({ err: error }, 'pictures: they could not be announced, trying again')
      waiting = new Map([...keys, ...waiting])
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
      waiting.set(`${key.id}@${key.createdAt.getTime()}`, key)
      if (waiting.size > MAX_WAITING) waiting.delete(waiting.keys().next().value as string)
      schedule()
    },
    /** Sends what waits, at the end of the process. */
    stop: async (): Promise<void> => {
      clearTimeout(timer)
      await sending
      await send()
      clearTimeout(timer)
    },
  }
}
