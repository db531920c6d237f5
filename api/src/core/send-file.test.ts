import { connect } from 'node:net'
import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { filesOnDisk } from './files-disk.ts'
import { sendFile } from './send-file.ts'

test('a reader below the minimum rate is disconnected, and holds little of the file', async () => {
  let bytes = 0
  const getPart = async (_path: string, _offset: number, length: number) => {
    bytes += length
    return Buffer.alloc(length)
  }
  const files = { ...filesOnDisk('/nowhere', 0, 1_000), getPart }
  const server = fastify()
  onTestFinished(() => server.close())
  const disconnected = new Promise((resolve) => {
    server.get('/', async (_request, reply) => {
      reply.raw.once('close', resolve)
      const file = { path: 'a', size: 1024 ** 3, type: 'image/png' }
      await sendFile(reply, files, file, { bytesPerSecond: 8 * 1024, windowMs: 200 })
      return reply
    })
  })
  const { port } = new URL(await server.listen({ port: 0, host: '127.0.0.1' }))
  const reader = connect(Number(port), '127.0.0.1', () => reader.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')).pause()
  onTestFinished(() => void reader.destroy())
  await disconnected
  // Most of it is in the buffers of the connection.
  expect(bytes).toBeLessThan(64 * 1024 ** 2)
})
