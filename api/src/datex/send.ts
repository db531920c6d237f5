import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DOWNLOAD_RATES, withMinimumRate } from '../core/minimum-rate.ts'
import { parseHttpDate } from './http-date.ts'

/**
 * Whether the client has what was modified then (RFC 9110 13.1.3): a malformed date or one in the future is ignored, and
 * any beside If-None-Match, as documents have no entity tags.
 */
export function isUnchanged({ headers }: Pick<FastifyRequest, 'headers'>, modified: Date, now: Date): boolean {
  const since = headers['if-modified-since']
  if (since === undefined || headers['if-none-match'] !== undefined) return false
  const date = parseHttpDate(since, now)
  return date !== null && date <= now && modified <= date
}

/**
 * Adds Last-Modified, unless it is still in the future, which RFC 9110 8.8.2.1 forbids: after several changes within a
 * second. Such a document is sent again.
 */
export function setLastModified(reply: FastifyReply, modified: Date, now: Date): void {
  if (modified <= now) reply.header('last-modified', modified.toUTCString())
}

/** Sends a document while it is composed; `release` is called when that has ended. */
export function sendDocument(
  reply: FastifyReply,
  content: AsyncIterable<Uint8Array>,
  { release, isContended }: { release: () => void; isContended: () => boolean },
): void {
  const disconnect = () => reply.raw.destroy()
  const stream = Readable.from(withMinimumRate(content, DOWNLOAD_RATES, isContended, disconnect), { objectMode: false })
  stream.once('close', release)
  stream.once('error', (error) => reply.log.warn({ err: error }, 'datex: not sent completely'))
  reply.raw.once('close', () => stream.destroy())
  reply.type('application/xml; charset=utf-8').send(stream)
}
