import type { ServerResponse } from 'node:http'
import { type hitStreamEnds, type OpenHit, openHits as openHitsEndpoint } from '@rogatka/contract/wanted-hits.ts'
import {
  createHeartbeats,
  createSessionChecks,
  endEventStream,
  eventText,
  heartbeatText,
  isOpen,
  MAX_SESSION_STREAMS,
  renewalEvent,
  sentAtComment,
} from '../../core/event-stream.ts'
import type { Session } from '../../core/sessions.ts'
import type { OpenHits } from './open-hits.ts'

/** Changes within this time are sent in one event. */
const FLUSH_MS = 50
/** A client that has not read this many bytes is too slow. */
const MAX_BACKLOG_BYTES = 1024 * 1024

type StreamEnd = (typeof hitStreamEnds)[number]

type Subscriber = {
  session: Session
  raw: ServerResponse
  /** Records in the access trail that hits are shown; awaited before they are sent. */
  recordLook: (hits: OpenHit[]) => Promise<void>
  /** Whether the session may still read this stream. */
  isAllowed: () => Promise<boolean>
  /** The last list, encoded. */
  sent: string
}

export type HitStreams = {
  /** Sends the open hits of a session now and after each change, until the client disconnects or the stream ends. */
  open: (subscriber: Omit<Subscriber, 'sent'>) => void
  /** Checks the sessions of a user, or of all, after a change. */
  checkSessions: (userId?: number) => void
  /** Ends all streams. */
  stop: () => void
}

/** Encodes open hits as a response. */
export const encodeHits = (content: OpenHit[]): string => JSON.stringify(openHitsEndpoint.response.encode({ content }))

/** Streams of open hits to many clients, each with those that it may see. */
export function createHitStreams(openHits: OpenHits, now: () => Date): HitStreams {
  const subscribers = new Set<Subscriber>()
  let flushing: NodeJS.Timeout | undefined

  const remove = (subscriber: Subscriber) => {
    subscribers.delete(subscriber)
    heartbeats.remove(subscriber)
  }

  const endWith = (subscriber: Subscriber, event: string) => {
    remove(subscriber)
    endEventStream(subscriber.raw, event)
  }

  const end = (subscriber: Subscriber, reason: StreamEnd) =>
    endWith(subscriber, eventText('end', JSON.stringify({ reason })))

  const write = (subscriber: Subscriber, text: string) => {
    const { raw } = subscriber
    if (!isOpen(raw)) return
    raw.write(text)
    if (raw.writableLength > MAX_BACKLOG_BYTES) end(subscriber, 'slow-reader')
  }

  /** Sends the list if it differs from the last one. */
  const update = (subscriber: Subscriber) => {
    const hits = openHits.visibleTo(subscriber.session, now())
    const json = encodeHits(hits)
    if (json === subscriber.sent) return
    subscriber.sent = json
    subscriber.recordLook(hits).then(
      () => {
        // Not if a later list was recorded faster.
        if (subscriber.sent === json) write(subscriber, sentAtComment(now()) + eventText('hits', json))
      },
      () => subscriber.raw.destroy(),
    )
  }

  const flush = () => {
    clearTimeout(flushing)
    flushing = undefined
    for (const subscriber of subscribers) update(subscriber)
  }

  const checkSession = createSessionChecks<Subscriber>((subscriber) => end(subscriber, 'session-changed'))
  const heartbeats = createHeartbeats<Subscriber>(
    (subscriber) => {
      // Hits end with their shift.
      update(subscriber)
      write(subscriber, heartbeatText(now()))
      subscriber.recordLook(openHits.visibleTo(subscriber.session, now())).catch(() => subscriber.raw.destroy())
      checkSession(subscriber)
    },
    (subscriber) => endWith(subscriber, renewalEvent()),
  )

  openHits.onChange(() => {
    if (subscribers.size > 0) flushing ??= setTimeout(flush, FLUSH_MS)
  })

  return {
    open(opened) {
      const subscriber = { ...opened, sent: '' }
      const { raw, session } = subscriber
      if (raw.destroyed) return
      const ofSession = [...subscribers].filter((other) => other.session.key === session.key)
      if (ofSession[0] && ofSession.length >= MAX_SESSION_STREAMS) end(ofSession[0], 'too-many-streams')
      subscribers.add(subscriber)
      raw.on('close', () => remove(subscriber))
      heartbeats.add(subscriber)
      update(subscriber)
      // It may have changed while the stream was opened.
      checkSession(subscriber)
    },
    checkSessions(userId) {
      for (const subscriber of subscribers)
        if (userId === undefined || subscriber.session.userId === userId) checkSession(subscriber)
    },
    stop() {
      clearTimeout(flushing)
      for (const subscriber of subscribers) end(subscriber, 'shutdown')
    },
  }
}
