import { check } from '@rogatka/contract/current.ts'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import fastify from 'fastify'

/* A server process that returns a constant: the maximum of the framework on this machine. */

const http = fastify()
http.get(API_BASE + check.path, () => ({ refresh: false }))
console.log(await http.listen({ host: '127.0.0.1', port: 0 }))
