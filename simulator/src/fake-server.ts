import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { post, type WireMeasurement } from '@rogatka/contract/ingest.ts'

/** An injected response of the fake server. */
type FaultyResponse = { status: number; retryAfter?: string } | 'hang up' | 'hang up after storing'

/**
 * A fake ingest server: stores vehicles by station key, sequence number and time, detects duplicates and reused sequence
 * numbers, and injects faulty responses.
 */
export const createFakeServer = async () => {
  const vehicles = new Map<string, WireMeasurement>()
  const images = new Map<string, Buffer>()
  const batches: { key: string; vehicles: WireMeasurement[] }[] = []
  const faults: FaultyResponse[] = []
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
    const fault = faults.shift()
    if (fault === 'hang up') return request.socket.destroy()
    if (fault && typeof fault === 'object') {
      if (fault.retryAfter !== undefined) response.setHeader('retry-after', fault.retryAfter)
      response.statusCode = fault.status
      return response.end('[]')
    }
    const key = request.headers.authorization?.replace('Bearer ', '') ?? ''
    if (url.pathname === `${API_BASE}${post.path}`) {
      const ndjson = request.headers['content-type'] === 'application/x-ndjson'
      const lines = body.toString().split('\n').filter(Boolean)
      const answer = store(key, ndjson ? lines.map((line) => JSON.parse(line)) : JSON.parse(body.toString()))
      if (fault === 'hang up after storing') return request.socket.destroy()
      response.setHeader('content-type', 'application/json')
      return response.end(JSON.stringify(answer))
    }
    images.set(`${url.pathname.replace(`${API_BASE}/measurements/`, '')} ${url.searchParams.get('createdAt')}`, body)
    response.statusCode = 204
    return response.end()
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')

  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    vehicles,
    images,
    batches,
    /** Responses of the next requests, one each. */
    faults,
    repeats: () => repeats,
    close: () => {
      http.closeAllConnections()
      http.close()
    },
  }
}
