import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from './free-port.ts'

test('ports that are given out are free, differ, and are none of those that systems choose', async () => {
  const first = await freePort()
  // The next one is taken.
  const other = createServer().listen(first + 1, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const ports = [first, await freePort(), await freePort()]
  expect(new Set([...ports, first + 1]).size).toBe(4)
  for (const port of ports) expect(port).toBeLessThan(32_768)
})
