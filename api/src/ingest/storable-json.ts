import { storable } from '../core/text.ts'

/** A rejected vehicle is kept to be looked at, so what is kept of it has bounds, whatever was sent. */
const MAX_PARTS = 400
const MAX_TEXT = 200
const CUT = '…'

/** The value as JSON that PostgreSQL can keep: texts and lists cut, and with the number of parts the depth bounded. */
export function toStorableJson(value: unknown): unknown {
  let parts = 0

  const text = (given: string) => storable(given.length > MAX_TEXT ? given.slice(0, MAX_TEXT) + CUT : given)

  const keep = (given: unknown): unknown => {
    if (++parts > MAX_PARTS) return CUT
    if (typeof given === 'string') return text(given)
    if (typeof given !== 'object' || given === null) return given
    if (!Array.isArray(given))
      return Object.fromEntries(within(Object.entries(given)).map(([key, one]) => [text(key), keep(one)]))
    const list = within(given).map((one) => keep(one))
    return list.length < given.length ? [...list, CUT] : list
  }

  const within = <T>(list: T[]): T[] => list.slice(0, Math.max(0, MAX_PARTS - parts))

  return keep(value)
}
