import { stream } from '@rogatka/contract/current.ts'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { hitStream } from '@rogatka/contract/wanted-hits.ts'
import type { FastifyInstance, InjectOptions } from 'fastify'

/** A stream of events is read until it pauses for this time. */
const DELAY_MS = 200

const STREAMS = [stream, hitStream].map(({ path }) => API_BASE + path)

type Response = { statusCode: number; headers: Record<string, unknown>; body: string; rawPayload: Buffer }

/** Sends a request to a server that does not listen; of a stream of events only the first ones are read. */
export async function inject(http: FastifyInstance, request: InjectOptions): Promise<Response> {
  if (!STREAMS.some((path) => String(request.url).startsWith(path))) return http.inject(request)
  const response = await http.inject({ ...request, payloadAsStream: true })
  const body = response.stream()
  const chunks: Buffer[] = []
  await new Promise<void>((resolve, reject) => {
    let timer = setTimeout(resolve, DELAY_MS)
    body.on('data', (chunk) => {
      chunks.push(Buffer.from(chunk))
      clearTimeout(timer)
      timer = setTimeout(resolve, DELAY_MS)
    })
    body.on('end', resolve)
    body.on('error', reject)
  })
  body.destroy()
  const rawPayload = Buffer.concat(chunks)
  return { statusCode: response.statusCode, headers: response.headers, body: rawPayload.toString(), rawPayload }
}
