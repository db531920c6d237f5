import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { expect } from '@playwright/test'
import { freePort } from '@rogatka/api/core/free-port.ts'
import { proxies } from '@rogatka/api/testing/proxies.ts'
import { test } from './src/fixtures.ts'
import { cardOf } from './src/live.ts'
import { signIn } from './src/operator.ts'
import { addStation } from './src/station.ts'

for (const [at, { name, program, start }] of proxies.entries())
  test(`the live list behind ${name} continues where it was after a restart of the proxy`, async ({
    page,
    portal,
    consoleErrors,
  }) => {
    test.skip(!program, `${name.toUpperCase()} names no program`)
    consoleErrors.expect(/net::ERR_|50[234]/)
    const station = await addStation(portal, 970 + at, `S8 Brama ${at + 1}`)
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    let proxy: ChildProcess | undefined
    const startProxy = async () => {
      proxy = await start([new URL(portal.url).host], port)
      await expect
        .poll(() =>
          fetch(`${url}/readyz`).then(
            ({ status }) => status,
            () => 0,
          ),
        )
        .toBe(200)
    }
    const stopProxy = async () => {
      if (!proxy || proxy.exitCode !== null || proxy.signalCode !== null) return
      const exit = once(proxy, 'exit')
      proxy.kill()
      await exit
    }
    const resumed: (string | undefined)[] = []
    page.on('request', (request) => {
      if (request.url().includes('/current-vehicles/stream')) resumed.push(request.headers()['last-event-id'])
    })
    const encodings: (string | undefined)[] = []
    page.on('response', (response) => {
      if (response.url().includes('/current-vehicles/stream')) encodings.push(response.headers()['content-encoding'])
    })
    try {
      await startProxy()
      await page.goto(`${url}/login`)
      await signIn(page)
      await page.goto(`${url}/?step=3&locations=${station.id}`)
      await station.send({ plateLpr: 'PRX0001' })
      await expect(cardOf(page, 'PRX0001')).toBeVisible()
      expect([resumed, encodings]).toEqual([[undefined], ['gzip']])
      await stopProxy()
      await station.send({ plateLpr: 'PRX0002' })
      await startProxy()
      // By polling at first: a stream that ended so soon is not resumed at once.
      await expect(cardOf(page, 'PRX0002')).toBeVisible()
      await expect.poll(() => resumed.at(-1)).toMatch(/^\d+@\d+_\d+_[\w-]+$/)
      await expect.poll(() => encodings.length).toBeGreaterThan(1)
      await station.send({ plateLpr: 'PRX0003' })
      for (const plate of ['PRX0003', 'PRX0002', 'PRX0001']) await expect(cardOf(page, plate)).toHaveCount(1)
    } finally {
      // The list would ask a stopped proxy.
      await page.close()
      await stopProxy()
    }
  })
