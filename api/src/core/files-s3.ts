import { S3Client, S3Errors } from '@bradenmacdonald/s3-lite-client'
import type { Files } from './files.ts'

/** Deletions under way at once when a month expires. */
const AT_ONCE = 16

/**
 * Files in an S3-compatible store. The address is `http(s)://key:secret@host[:port]/bucket`, with `?region=…` where
 * the store has regions.
 */
export function filesInS3(address: string): Files {
  const url = new URL(address)
  const client = new S3Client({
    endPoint: url.origin,
    region: url.searchParams.get('region') ?? 'us-east-1',
    bucket: decodeURIComponent(url.pathname.slice(1)),
    accessKey: decodeURIComponent(url.username),
    secretKey: decodeURIComponent(url.password),
  })

  const remove = (path: string) => client.deleteObject(path)

  return {
    async put(path, bytes) {
      await client.putObject(path, Buffer.from(bytes))
    },
    async get(path) {
      try {
        const answer = await client.getObject(path)
        return Buffer.from(await answer.arrayBuffer())
      } catch (error) {
        if (error instanceof S3Errors.ServerError && error.statusCode === 404) return null
        throw error
      }
    },
    remove,
    async removeFolder(folder) {
      let batch: Promise<void>[] = []
      for await (const { key } of client.listObjects({ prefix: `${folder}/` })) {
        batch.push(remove(key))
        if (batch.length < AT_ONCE) continue
        await Promise.all(batch)
        batch = []
      }
      await Promise.all(batch)
    },
  }
}
