import { S3Client, S3Errors } from '@bradenmacdonald/s3-lite-client'
import type { Files } from './files.ts'
import { withStorageTimeout } from './storage-timeout.ts'
import { StorageUnavailable } from './storage-unavailable.ts'

/** Deletions under way at once when a month expires. */
const CONCURRENCY = 16

/**
 * Files in an S3-compatible store. The address is `http(s)://key:secret@host[:port]/bucket`, with `?region=…` where
 * the store has regions. What removes a folder asks for each file; each answer is bounded.
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

  const remove = (path: string) => asked(client.deleteObject(path))

  return {
    async put(path, bytes) {
      await asked(client.putObject(path, Buffer.from(bytes)))
    },
    async get(path) {
      try {
        const answer = await client.getObject(path)
        return Buffer.from(await answer.arrayBuffer())
      } catch (error) {
        if (error instanceof S3Errors.ServerError && error.statusCode === 404) return null
        throw unavailable(error)
      }
    },
    remove,
    async removeFolder(folder) {
      let batch: Promise<void>[] = []
      const listed = client.listObjects({ prefix: `${folder}/` })[Symbol.asyncIterator]()
      const next = () => withStorageTimeout(asked(listed.next()), timeoutMs)
      for (let found = await next(); !found.done; found = await next()) {
        batch.push(withStorageTimeout(remove(found.value.key), timeoutMs))
        if (batch.length < CONCURRENCY) continue
        await Promise.all(batch)
        batch = []
      }
      await Promise.all(batch)
    },
  }
}

/** Whatever S3 refuses or does not answer is an outage to callers: they may come again. */
const unavailable = (error: unknown) => new StorageUnavailable(`S3: ${(error as Error).message}`, { cause: error })

const asked = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: unknown) => {
    throw unavailable(error)
  })
