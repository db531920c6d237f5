/** An element of a DER encoding: its whole bytes, and those of its value. */
export type DerElement = { tag: number; bytes: Buffer; value: Buffer }

export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  octets: 0x04,
  constructedOctets: 0x24,
  null: 0x05,
  oid: 0x06,
  sequence: 0x30,
  set: 0x31,
  context0: 0xa0,
  context1: 0xa1,
} as const

/** Encodes an element. */
export function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const value = Buffer.concat(parts)
  const { length } = value
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), value])
  const digits = length.toString(16)
  const size = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')
  return Buffer.concat([Buffer.of(tag, 0x80 | size.length), size, value])
}

/** Encodes a set: its elements in ascending order of their bytes. */
export const derSet = (tag: number, parts: readonly Buffer[]): Buffer =>
  der(tag, ...parts.toSorted((a, b) => Buffer.compare(a, b)))

/** Encodes an unsigned integer of these bytes. */
export const derInteger = (bytes: Buffer): Buffer =>
  der(TAG.integer, (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes)

/** Encodes an object identifier, such as 1.2.840. */
export function derOid(text: string): Buffer {
  const [first = 0, second = 0, ...others] = text.split('.').map(Number)
  const bytes = [first * 40 + second, ...others].flatMap((number) => {
    const groups = [number % 0x80]
    for (let rest = Math.floor(number / 0x80); rest > 0; rest = Math.floor(rest / 0x80))
      groups.unshift((rest % 0x80) | 0x80)
    return groups
  })
  return der(TAG.oid, Buffer.from(bytes))
}

/** The elements that follow each other in these bytes. @throws RangeError if they are not DER */
export function readDer(bytes: Buffer): DerElement[] {
  const elements: DerElement[] = []
  for (let at = 0; at < bytes.length; ) {
    let header = 2
    let length = bytes[at + 1] ?? Number.NaN
    if (length === 0x80) throw new RangeError('DER: a length is needed')
    if (length > 0x80) {
      const size = length & 0x7f
      if (size > 4 || at + 2 + size > bytes.length) throw new RangeError('DER: a length is out of bounds')
      length = bytes.readUIntBE(at + 2, size)
      header += size
    }
    const end = at + header + length
    if (!(end <= bytes.length)) throw new RangeError('DER: an element is out of bounds')
    elements.push({
      tag: bytes[at] as number,
      bytes: bytes.subarray(at, end),
      value: bytes.subarray(at + header, end),
    })
    at = end
  }
  return elements
}

/** The elements within the first element of these bytes. @throws RangeError if they are not DER */
export function readSequence(bytes: Buffer): DerElement[] {
  const [element] = readDer(bytes)
  if (!element) throw new RangeError('DER: an element is needed')
  return readDer(element.value)
}
