import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

/** A file of a folder; `packed`: its bytes are compressed already. */
export type ZipEntry = { name: string; content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>; packed?: boolean }

/** Packs files one after the other, each asked for when the one before is gone: nothing is gathered. */
export async function* zip(entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>, at: Date): AsyncGenerator<Buffer> {
  const file = new ZipFile()
  const output = file.outputStream as Readable
  let current: Readable | undefined
  let stopped = false

  const feed = async () => {
    for await (const { name, content, packed } of entries) {
      if (stopped) return
      current = Readable.from(content, { objectMode: false })
      const read = readToEnd(current)
      file.addReadStream(current, name, { mtime: at, compress: !packed })
      await read
    }
    file.end()
  }
  const feeding = feed().catch((error) => output.destroy(error))
  // It complains of a broken entry too; that is told above.
  file.on('error', () => {})
  try {
    yield* output
  } finally {
    stopped = true
    current?.destroy()
    await feeding
  }
}

const readToEnd = (stream: Readable) =>
  new Promise<void>((resolve, reject) => {
    stream.once('end', resolve)
    stream.once('error', reject)
    stream.once('close', () => reject(new Error('zip: a file was not read to its end')))
  })
