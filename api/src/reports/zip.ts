import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

/** A file of a ZIP; `isCompressed`: not compressed again. */
export type ZipEntry = {
  name: string
  content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>
  isCompressed?: boolean
}

/** Streams a ZIP file by file, without buffering; the next entry is requested when the previous one is written. */
export async function* zip(entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>, at: Date): AsyncGenerator<Buffer> {
  const file = new ZipFile()
  const output = file.outputStream as Readable
  let current: Readable | undefined
  let isStopped = false

  const feed = async () => {
    for await (const { name, content, isCompressed } of entries) {
      if (isStopped) return
      current = Readable.from(content, { objectMode: false })
      const read = readToEnd(current)
      file.addReadStream(current, name, { mtime: at, compress: !isCompressed })
      await read
    }
    file.end()
  }
  const feedDone = feed().catch((error) => output.destroy(error))
  // Also emitted for a failed entry, which is handled above.
  file.on('error', () => {})
  try {
    yield* output
  } finally {
    isStopped = true
    current?.destroy()
    await feedDone
  }
}

const readToEnd = (stream: Readable) =>
  new Promise<void>((resolve, reject) => {
    stream.once('end', resolve)
    stream.once('error', reject)
    stream.once('close', () => reject(new Error('zip: a file was not read to its end')))
  })
