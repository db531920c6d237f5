import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { Refusal } from './refusal.ts'

/** Files beside the page, by content type. */
const FILES: Record<string, string> = {
  '/favicon.svg': 'image/svg+xml',
  '/licences.txt': 'text/plain; charset=utf-8',
}

/** Serves the built single-page app. Every URL that is not a file is handled by its router. */
export async function serveSpa(http: FastifyInstance, folder: string): Promise<void> {
  await http.register(fastifyStatic, {
    root: join(folder, 'assets'),
    // Its own route lists the folder, of a thousand files, at each request.
    serve: false,
    // File names contain a hash of the content.
    immutable: true,
    // The build has compressed them.
    preCompressed: true,
    maxAge: '365d',
  })
  const options = { schema: { hide: true }, compress: false, decompress: false } as const
  http.get<{ Params: { name: string } }>('/assets/:name', options, (request, reply) =>
    reply.sendFile(request.params.name),
  )

  // Keeps search engines from listing the login page.
  http.get('/robots.txt', { schema: { hide: true } }, (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send('User-agent: *\nDisallow: /\n'),
  )

  http.setNotFoundHandler(async (request, reply) => {
    const wantsPage =
      ['GET', 'HEAD'].includes(request.method) &&
      !request.url.startsWith('/api/') &&
      !request.url.startsWith('/assets/')
    if (!wantsPage) throw new Refusal('not-found', 404)
    const type = FILES[request.url]
    const file = join(folder, type ? request.url : 'index.html')
    if (!existsSync(file)) throw new Refusal('starting', 503, null, 2)
    return reply
      .type(type ?? 'text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(await readFile(file))
  })
}
