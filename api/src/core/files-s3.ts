import { S3Client, S3Errors } from '@bradenmacdonald/s3-lite-client'
import type { Files } from './files.ts'
import { withStorageTimeout } from './storage-timeout.ts'
import { StorageUnavailable } from './storage-unavailable.ts'

/** Concurrent deletions when a month expires. */
const CONCURRENCY = 16

/**
 * Files in an S3-compatible store. The address is `http(s)://key:secret@host[:port]/bucket`, with an optional
 * `?region=…`. Deleting a folder deletes each of its files, with a timeout per request.
 */
export function filesInS3(address: string, timeoutMs: number): Files {
  const url = new URL(address)
  const client = new S3Client({
    endPoint: url.origin,
    region: url.searchParams.get('region') ?? 'us-east-1',
    bucket: decodeURIComponent(url.pathname.slice(1)),
    accessKey: decodeURIComponent(url.username),
    secretKey: decodeURIComponent(url.password),
  })

  const remove = (path: string) => orUnavailable(client.deleteObject(path))

  return {
    async put(path, bytes) {
      await orUnavailable(client.putObject(path, Buffer.from(bytes)))
    },
    get: (path) => bytesOf(() => client.getObject(path)),
    getPart: (path, offset, length) => bytesOf(() => client.getPartialObject(path, { offset, length })),
    remove,
    async removeFolder(folder) {
      let batch: Promise<void>[] = []
      const listed = client.listObjects({ prefix: `${folder}/` })[Symbol.asyncIterator]()
      const next = () => withStorageTimeout(orUnavailable(listed.next()), timeoutMs)
      for (let entry = await next(); !entry.done; entry = await next()) {
        batch.push(withStorageTimeout(remove(entry.value.key), timeoutMs))
        if (batch.length < CONCURRENCY) continue
        await Promise.all(batch)
        batch = []
      }
      await Promise.all(batch)
    },
  }
}

/** Errors and timeouts of S3 are outages to callers, who may retry. */
const unavailable = (error: unknown) => new StorageUnavailable(`S3: ${(error as Error).message}`, { cause: error })

/** The bytes of a response; null if there is no such file. */
async function bytesOf(request: () => Promise<Response>): Promise<Buffer | null> {
  try {
    return Buffer.from(await (await request()).arrayBuffer())
  } catch (error) {
    if (error instanceof S3Errors.ServerError && error.statusCode === 404) return null
    throw unavailable(error)
  }
}

const orUnavailable = <T>(response: Promise<T>): Promise<T> =>
  response.catch((error: unknown) => {
    throw unavailable(error)
  })
