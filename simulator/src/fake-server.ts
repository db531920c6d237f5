import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { post, type WireMeasurement } from '@rogatka/contract/ingest.ts'

/** An answer of the fake server other than the usual one. */
type FaultyResponse = { status: number; retryAfter?: string } | 'hang up' | 'hang up after storing'

/**
 * A server for tests: it stores vehicles by key, number and time as the real one does, tells repeats from new and from reused ones, and
 * makes trouble when it is told to.
 */
export const createFakeServer = async () => {
  const vehicles = new Map<string, WireMeasurement>()
  const pictures = new Map<string, Buffer>()
  const batches: { key: string; vehicles: WireMeasurement[] }[] = []
  const troubles: FaultyResponse[] = []
  let repeats = 0

  const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks)
  }

  const store = (key: string, sent: WireMeasurement[]) => {
    let accepted = 0
    const rejected: { index: number; errors: { code: string }[] }[] = []
    for (const [index, vehicle] of sent.entries()) {
      const id = `${key} ${vehicle.sequence} ${vehicle.createdAt}`
      const stored = vehicles.get(id)
      if (!stored) {
        vehicles.set(id, vehicle)
        accepted++
      } else if (!isDeepStrictEqual(stored, vehicle)) rejected.push({ index, errors: [{ code: 'sequence-reused' }] })
    }
    const duplicates = sent.length - accepted - rejected.length
    repeats += duplicates
    batches.push({ key, vehicles: sent })
    return { accepted, duplicates, rejected }
  }

  const http = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://fake')
    if (url.pathname === '/readyz') return response.end()
    const body = await bodyOf(request)
    const trouble = troubles.shift()
    if (trouble === 'hang up') return request.socket.destroy()
    if (trouble && typeof trouble === 'object') {
      if (trouble.retryAfter !== undefined) response.setHeader('retry-after', trouble.retryAfter)
      response.statusCode = trouble.status
      return response.end('[]')
    }
    const key = request.headers.authorization?.replace('Bearer ', '') ?? ''
    if (url.pathname === `${API_BASE}${post.path}`) {
      const ndjson = request.headers['content-type'] === 'application/x-ndjson'
      const lines = body.toString().split('\n').filter(Boolean)
      const answer = store(key, ndjson ? lines.map((line) => JSON.parse(line)) : JSON.parse(body.toString()))
      if (trouble === 'hang up after storing') return request.socket.destroy()
      response.setHeader('content-type', 'application/json')
      return response.end(JSON.stringify(answer))
    }
    pictures.set(`${url.pathname.replace(`${API_BASE}/measurements/`, '')} ${url.searchParams.get('createdAt')}`, body)
    response.statusCode = 204
    return response.end()
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')

  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    vehicles,
    pictures,
    batches,
    /** What the next requests meet, one each. */
    troubles,
    repeats: () => repeats,
    close: () => {
      http.closeAllConnections()
      http.close()
    },
  }
}
