import pg from 'pg'

/*
 * Parameters for arrays in PostgreSQL's binary format, which is that of `array_send`: dimensions, whether there are nulls,
 * element type, length, lower bound, then each element with its length. The driver sends arrays as text, which takes both
 * sides several times longer.
 */

const { builtins } = pg.types
const HEADER_BYTES = 20
const LENGTH_BYTES = 4
const NULL_LENGTH = -1
/** Timestamps of PostgreSQL count microseconds from here. */
const YEAR_2000_MS = Date.UTC(2000, 0, 1)

type Values<T> = readonly (T | null | undefined)[]
/** How elements of a type are written. */
type Format<T> = { type: number; sizeOf: (value: T) => number; write: (buffer: Buffer, value: T, at: number) => void }

function encode<T>({ type, sizeOf, write }: Format<T>, values: Values<T>): Buffer {
  let size = HEADER_BYTES
  for (const value of values) size += LENGTH_BYTES + (value == null ? 0 : sizeOf(value))
  const buffer = Buffer.allocUnsafe(size)
  buffer.writeInt32BE(1, 0)
  buffer.writeInt32BE(1, 4)
  buffer.writeInt32BE(type, 8)
  buffer.writeInt32BE(values.length, 12)
  buffer.writeInt32BE(1, 16)
  let at = HEADER_BYTES
  for (const value of values) {
    if (value == null) {
      at = buffer.writeInt32BE(NULL_LENGTH, at)
      continue
    }
    const length = sizeOf(value)
    at = buffer.writeInt32BE(length, at)
    write(buffer, value, at)
    at += length
  }
  return buffer
}

/** @throws RangeError for what PostgreSQL would refuse in the text of an integer */
function integer(value: number): number {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is no integer`)
  return value
}

function writeInt8(buffer: Buffer, value: number, at: number) {
  const high = Math.floor(integer(value) / 2 ** 32)
  buffer.writeInt32BE(high, at)
  buffer.writeUInt32BE(value - high * 2 ** 32, at + 4)
}

const formats = {
  int2: {
    type: builtins.INT2,
    sizeOf: () => 2,
    write: (buffer, value, at) => buffer.writeInt16BE(integer(value), at),
  } satisfies Format<number>,
  int4: {
    type: builtins.INT4,
    sizeOf: () => 4,
    write: (buffer, value, at) => buffer.writeInt32BE(integer(value), at),
  } satisfies Format<number>,
  int8: { type: builtins.INT8, sizeOf: () => 8, write: writeInt8 } satisfies Format<number>,
  boolean: {
    type: builtins.BOOL,
    sizeOf: () => 1,
    write: (buffer, value, at) => buffer.writeUInt8(Number(value), at),
  } satisfies Format<boolean>,
  timestamptz: {
    type: builtins.TIMESTAMPTZ,
    sizeOf: () => 8,
    write: (buffer, value, at) => writeInt8(buffer, (value.getTime() - YEAR_2000_MS) * 1_000, at),
  } satisfies Format<Date>,
  text: {
    type: builtins.TEXT,
    sizeOf: (value) => Buffer.byteLength(value),
    write: (buffer, value, at) => buffer.write(value, at),
  } satisfies Format<string>,
  bytea: {
    type: builtins.BYTEA,
    sizeOf: (value) => value.length,
    write: (buffer, value, at) => buffer.set(value, at),
  } satisfies Format<Uint8Array>,
}

/** Parameters of type `int2[]`, `int4[]` and so on. @throws RangeError for a number that is no integer of the type */
export const int2Array = (values: Values<number>): Buffer => encode(formats.int2, values)
export const int4Array = (values: Values<number>): Buffer => encode(formats.int4, values)
export const int8Array = (values: Values<number>): Buffer => encode(formats.int8, values)
export const booleanArray = (values: Values<boolean>): Buffer => encode(formats.boolean, values)
export const timestamptzArray = (values: Values<Date>): Buffer => encode(formats.timestamptz, values)
export const textArray = (values: Values<string>): Buffer => encode(formats.text, values)
export const byteaArray = (values: Values<Uint8Array>): Buffer => encode(formats.bytea, values)
