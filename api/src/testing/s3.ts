import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { listenUntilFinished } from './services.ts'

type Fault = 'hang' | 'refuse' | 'slow' | 'die after storing' | null

/**
 * A minimal S3 service, with objects by path below the bucket, until the test ends. Each of `faults` is of one request;
 * `requests`: method and name of each object that was asked for.
 */
export async function startS3() {
  const objects = new Map<string, Buffer>()
  const faults: Fault[] = []
  const requests: string[] = []
  const server = createServer(async (request, response) => {
    // Versions of images are read and written in the background.
    const fault = /-(sharp|anonymised)-/.test(request.url ?? '') ? null : faults.shift()
    if (fault === 'hang') return
    if (fault === 'refuse') return response.writeHead(500).end('<Error><Code>InternalError</Code></Error>')
    if (fault === 'slow') await sleep(50)
    const url = new URL(request.url ?? '', 'http://s3')
    const key = decodeURIComponent(url.pathname).replace(/^\/pictures\/?/, '')
    if (!request.headers.authorization?.includes('Credential=key id/')) return response.writeHead(403).end()
    requests.push(`${request.method} ${nameOf(key)}`)
    if (request.method === 'PUT') {
      objects.set(key, Buffer.concat(await request.toArray()))
      if (fault === 'die after storing') return request.socket.destroy()
      return response.writeHead(200, { etag: '"1"' }).end()
    }
    if (request.method === 'DELETE') return response.writeHead(objects.delete(key) ? 204 : 204).end()
    if (key === '') {
      const prefix = url.searchParams.get('prefix') ?? ''
      const found = [...objects.keys()].filter((name) => name.startsWith(prefix))
      const list = found.map(
        (name) =>
          `<Contents><Key>${name}</Key><LastModified>2026-01-01T00:00:00Z</LastModified><ETag>1</ETag><Size>1</Size></Contents>`,
      )
      return response
        .writeHead(200, { 'content-type': 'application/xml' })
        .end(`<ListBucketResult><IsTruncated>false</IsTruncated>${list.join('')}</ListBucketResult>`)
    }
    const bytes = objects.get(key)
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    if (bytes && from) return response.writeHead(206).end(bytes.subarray(Number(from), Number(to) + 1))
    if (bytes) return response.writeHead(200).end(bytes)
    return response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
  })
  const port = await listenUntilFinished(server)
  const names = () => [...objects.keys()].map(nameOf)
  return { s3Url: `http://key%20id:secret@127.0.0.1:${port}/pictures`, names, faults, requests }
}

const nameOf = (key: string) => key.split('/').at(-1)
