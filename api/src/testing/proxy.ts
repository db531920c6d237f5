import { onTestFinished } from 'vitest'
import { startTcpProxy } from './tcp-proxy.ts'

/** Starts a proxy to the host of a URL until the test ends; `url` is the URL through the proxy. */
export async function startProxy(target: string) {
  const url = new URL(target)
  const proxy = await startTcpProxy(url.hostname, Number(url.port))
  onTestFinished(() => void proxy.cut())
  url.hostname = '127.0.0.1'
  url.port = String(proxy.port)
  return { ...proxy, url: url.href }
}
