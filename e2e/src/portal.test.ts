import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { startPortal } from './portal.ts'

test('a server stopped right after it answers leaves no processes or files', async () => {
  const portal = await startPortal()
  await portal.stop() // throws if the database is still running
  expect(await fetch(portal.url).catch(() => 'gone')).toBe('gone')
})

test('a server whose port is taken reports it and leaves nothing behind', async () => {
  const other = createServer()
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
  const address = other.address()
  const usedPort = typeof address === 'object' && address ? String(address.port) : ''
  await expect(startPortal({ PORT: usedPort })).rejects.toThrow(/EADDRINUSE/)
  other.close()
})

test('an invalid setting stops the start with a line that names it', async () => {
  await expect(startPortal({ PORT: 'eighty', RETENTION_DAYS: '0' })).rejects.toThrow(
    /Configuration:.*PORT.*RETENTION_DAYS/,
  )
})
