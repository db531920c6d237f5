import { once } from 'node:events'
import { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from, to } from 'pg-copy-streams'

/** Opens a connection without statement timeout. */
async function openConnection(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  await client.connect()
  return client
}

/** Buffers rows in the text format of COPY until `flush`, which waits for backpressure. */
export async function copyWriter(url: string, into: string) {
  const client = await openConnection(url)
  const stream = client.query(from(`copy ${into} from stdin`))
  const done = finished(stream)
  let rows: string[] = []
  const flush = async () => {
    const text = rows.join('')
    rows = []
    if (text && !stream.write(text)) await Promise.race([once(stream, 'drain'), done])
  }
  return {
    add: (row: string) => rows.push(row),
    flush,
    end: async () => {
      await flush()
      stream.end()
      await done
      await client.end()
    },
  }
}

/** Rows for columns of a table, in the text format of COPY. */
export type Copy = { into: string; rows: string }

/** Copies rows into tables, in one transaction. */
export async function copyIn(url: string, copies: readonly Copy[]): Promise<void> {
  const client = await openConnection(url)
  await client.query('begin')
  for (const { into, rows } of copies)
    await pipeline(Readable.from([rows]), client.query(from(`copy ${into} from stdin`)))
  await client.query('commit')
  await client.end()
}

/** Reads the result of a query as CSV. Returns the number of lines. */
export async function copyOut(url: string, query: string): Promise<number> {
  const client = await openConnection(url)
  let lines = 0
  const bytes: AsyncIterable<Buffer> = client.query(to(`copy (${query}) to stdout (format csv)`))
  for await (const part of bytes) for (const byte of part) if (byte === 10) lines++
  await client.end()
  return lines
}
