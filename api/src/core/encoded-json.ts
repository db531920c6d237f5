import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'

/** A response already encoded as JSON. */
export class EncodedJson {
  readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }
}

/** Encodes a list item by item, yielding to the event loop in between: 10 MB at once would block it for a second. */
export async function encodeList<E extends z.ZodType>(
  element: E,
  list: Iterable<z.output<E>> | AsyncIterable<z.output<E>>,
  signal: AbortSignal,
): Promise<EncodedJson> {
  const chunks: Buffer[] = []
  for await (const item of list) {
    signal.throwIfAborted()
    chunks.push(Buffer.from(chunks.length === 0 ? '[' : ','), Buffer.from(JSON.stringify(element.encode(item))))
    await setImmediate()
  }
  chunks.push(Buffer.from(chunks.length === 0 ? '[]' : ']'))
  return new EncodedJson(Buffer.concat(chunks))
}
