import fastify from 'fastify'

/* A process of its own that answers a constant: the most that the framework can do on this machine. */

const http = fastify()
http.get('/', () => ({ refresh: false }))
console.log(await http.listen({ host: '127.0.0.1', port: 0 }))
