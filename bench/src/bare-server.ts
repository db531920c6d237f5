import { readFile } from 'node:fs/promises'
import { headersOf } from '@rogatka/api/core/headers.ts'
import { check } from '@rogatka/contract/current.ts'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import fastify from 'fastify'

/*
 * A server process that returns a constant: the maximum of the framework on this machine. With the argument `headers` it
 * sends the same headers as the portal. At `/file` it returns the file of its second argument, read each time.
 */

const http = fastify()
if (process.argv[2] === 'headers')
  http.addHook('onRequest', (request, reply, done) => {
    reply.headers(headersOf(true, false)).header('x-request-id', request.id)
    done()
  })
http.get(API_BASE + check.path, () => ({ refresh: false }))
http.get('/file', async (_request, reply) => reply.type('image/jpeg').send(await readFile(String(process.argv[3]))))
console.log(await http.listen({ host: '127.0.0.1', port: 0 }))
