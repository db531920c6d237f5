import { once } from 'node:events'
import { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from, to } from 'pg-copy-streams'

/** A connection of its own, without time limits. */
async function connectAlone(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  await client.connect()
  return client
}

/** Gathers rows in the text format of `copy` and copies them together, waiting where the database cannot take more. */
export async function copyWriter(url: string, into: string) {
  const client = await connectAlone(url)
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

/** Copies rows in the text format of `copy` into tables, in one transaction. */
export async function copyIn(url: string, copies: readonly { into: string; rows: string }[]): Promise<void> {
  const client = await connectAlone(url)
  await client.query('begin')
  for (const { into, rows } of copies)
    await pipeline(Readable.from([rows]), client.query(from(`copy ${into} from stdin`)))
  await client.query('commit')
  await client.end()
}

/** Reads what a query finds as CSV. Returns the number of its lines. */
export async function copyOut(url: string, query: string): Promise<number> {
  const client = await connectAlone(url)
  let lines = 0
  const bytes: AsyncIterable<Buffer> = client.query(to(`copy (${query}) to stdout (format csv)`))
  for await (const part of bytes) for (const byte of part) if (byte === 10) lines++
  await client.end()
  return lines
}
