import { storable } from '../core/text.ts'

/** Limits for stored rejected vehicles, whatever was sent. */
const MAX_NODES = 400
const MAX_TEXT_LENGTH = 200
const ELLIPSIS = '…'

/** The value as JSON that PostgreSQL can store, with limited text lengths, nodes and thereby depth. */
export function toStorableJson(value: unknown): unknown {
  let nodes = 0

  const text = (input: string) =>
    storable(input.length > MAX_TEXT_LENGTH ? input.slice(0, MAX_TEXT_LENGTH) + ELLIPSIS : input)

  const toStorable = (input: unknown): unknown => {
    if (++nodes > MAX_NODES) return ELLIPSIS
    if (typeof input === 'string') return text(input)
    if (typeof input !== 'object' || input === null) return input
    if (!Array.isArray(input))
      return Object.fromEntries(limit(Object.entries(input)).map(([key, item]) => [text(key), toStorable(item)]))
    const list = limit(input).map((item) => toStorable(item))
    return list.length < input.length ? [...list, ELLIPSIS] : list
  }

  const limit = <T>(list: T[]): T[] => list.slice(0, Math.max(0, MAX_NODES - nodes))

  return toStorable(value)
}
