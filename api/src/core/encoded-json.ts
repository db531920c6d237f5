import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'

/** A response that is JSON already. */
export class EncodedJson {
  readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }
}

/**
 * Encodes a list by the schema of its elements, one at a time: others have their turn in between. At once, a response of
 * 10 MB would hold the event loop for a second.
 */
export async function encodeList<E extends z.ZodType>(
  element: E,
  list: Iterable<z.output<E>> | AsyncIterable<z.output<E>>,
  signal: AbortSignal,
): Promise<EncodedJson> {
  const pieces: Buffer[] = []
  for await (const one of list) {
    signal.throwIfAborted()
    pieces.push(Buffer.from(pieces.length === 0 ? '[' : ','), Buffer.from(JSON.stringify(element.encode(one))))
    await setImmediate()
  }
  pieces.push(Buffer.from(pieces.length === 0 ? '[]' : ']'))
  return new EncodedJson(Buffer.concat(pieces))
}
