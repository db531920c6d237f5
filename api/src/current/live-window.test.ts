import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../core/database.ts'
import { startTcpProxy } from '../testing/tcp-proxy.ts'
import { testApi } from '../testing/test-api.ts'
import { createLiveWindow } from './live-window.ts'

test('a process that receives nothing more knows since when it may lack commits', async () => {
  const { url } = await testApi()
  const { hostname, port } = new URL(url)
  const proxy = await startTcpProxy(hostname, Number(port))
  const proxied = new URL(url)
  proxied.hostname = '127.0.0.1'
  proxied.port = String(proxy.port)
  const db = connect(proxied.href, 2)
  const live = createLiveWindow(db, () => new Date(), { warn: () => {} })
  const { ready, stop } = live.follow()
  onTestFinished(async () => {
    await proxy.cut()
    await stop()
    await db.end(1_000)
  })
  await ready
  proxy.freeze()
  const frozenAt = performance.now()
  await pause(500)
  const frozenMs = performance.now() - frozenAt
  expect(live.isDisconnected()).toBe(false)
  expect(live.age()).toBeGreaterThanOrEqual(frozenMs)
})
