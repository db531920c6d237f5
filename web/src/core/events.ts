import type { Endpoint } from '@rogatka/contract/endpoint.ts'
import { createParser } from 'eventsource-parser'
import type { z } from 'zod'
import { callStream } from './call.ts'
import { recordResponse } from './connection.ts'
import { ServerUnavailable } from './failure.ts'

type Events = Readonly<Record<string, z.ZodType>>

/** An event of an endpoint, as sent. */
export type ServerEvent<E extends Events> = {
  [Name in keyof E & string]: { name: Name; data: z.input<E[Name]> }
}[keyof E & string]

type Options<E extends Endpoint & { events: Events }> = {
  query: E extends { query: infer Q extends z.ZodType } ? z.input<Q> : Record<string, never>
  /** Resumes after this event, if the server still knows it. */
  lastEventId: string | null
  /** Without any byte for this long the stream counts as broken; servers send comments meanwhile. */
  silenceMs: number
  signal: AbortSignal
  onEvent: (event: ServerEvent<E['events']>) => void
  onId?: (id: string) => void
  /** What follows was sent at this time of the server, ms since the epoch. */
  onSentAt?: (sentAt: number) => void
  /** Called for every part of the stream, comments included. */
  onBytes?: () => void
}

/**
 * Reads the server-sent events of an endpoint until the stream ends.
 * @throws ApiFailure for an error status, ServerUnavailable if the connection breaks or is silent
 */
export async function readEvents<E extends Endpoint & { events: Events }>(
  endpoint: E,
  { query, lastEventId, silenceMs, signal, onEvent, onId, onSentAt, onBytes }: Options<E>,
): Promise<void> {
  const silence = new AbortController()
  const restart = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(new ServerUnavailable('silent')), silenceMs)
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  const parser = createParser({
    ...(onId && { onId }),
    onComment: (comment) => {
      const [, sentAt] = /^(?:heartbeat )?(\d+)$/.exec(comment.trim()) ?? []
      if (sentAt !== undefined) onSentAt?.(Number(sentAt))
    },
    onEvent: ({ event, data }) => onEvent({ name: event ?? 'message', data: JSON.parse(data) as unknown } as never),
  })
  const options = { query, lastEventId, background: true, signal: AbortSignal.any([signal, silence.signal]) }
  restart()
  try {
    const body = await callStream(endpoint, options as never)
    const reader = body.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      restart()
      recordResponse()
      onBytes?.()
      parser.feed(value)
    }
  } catch (error) {
    if (signal.aborted || !(error instanceof TypeError)) throw error
    throw new ServerUnavailable('unavailable', { cause: error })
  } finally {
    clearTimeout(timer)
    silence.abort()
  }
}
