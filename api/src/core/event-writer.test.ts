import type { ServerResponse } from 'node:http'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createGzipWriter, encodeEvents, encodeLongEvents } from './event-writer.ts'

test('at most four lists are compressed at a time, and all arrive in order', async () => {
  const raw = new PassThrough()
  const writer = createGzipWriter(raw as unknown as ServerResponse)
  const texts = Array.from({ length: 12 }, (_, at) =>
    at % 2 === 0 ? `data: ${String(at).repeat(100_000)}\n\n` : `data: ${at}\n\n`,
  )
  const events = texts.map((text) => (text.length > 100_000 ? encodeLongEvents : encodeEvents)(text))
  for (const event of events) writer.write(event)
  const areCompressed = events.filter((_, at) => at % 2 === 0).map(({ blocks }) => !Buffer.isBuffer(blocks()))
  expect(areCompressed).toEqual([true, true, true, true, false, false])
  const end = encodeEvents('event: end\n\n')
  writer.end(end)
  // Nothing comes after the end, not even another one.
  writer.write(encodeEvents('late'))
  writer.end(end)
  expect(gunzipSync(await buffer(raw)).toString()).toBe(`${texts.join('')}event: end\n\n`)
  // Compressed once: the next stream gets the same bytes.
  expect(await events[0]?.blocks()).toBe(await events[0]?.blocks())
})
