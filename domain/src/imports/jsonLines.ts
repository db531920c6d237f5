import { instant } from '@rogatka/contract/wire.ts'
import { cutText, type Row, refuse } from './vehicle.ts'

/** Invalid lines for what a JSON array lacks, which are refused: an element between commas, and its end. */
export const MISSING_ELEMENT = ','
export const UNCLOSED_ARRAY = '['

/**
 * Reads a JSON line: a measurement as stations send it, with `locationId`, and with or without `sequence`. Whether its
 * values are valid is checked as those of stations are.
 */
export function parseJsonLine(line: string): Row {
  const value = parse(line)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse('invalid-value', null, line)
  const { locationId, ...measurement } = value as Record<string, unknown>
  const origin = { station: textOf(locationId), lane: textOf(measurement.laneNumber) }
  const { createdAt, laneNumber, sequence } = measurement
  // These three are replaced by those of the portal, so that the rules of stations see no others.
  const time = instant.safeDecode(createdAt as string)
  if (!time.success) return refuse('invalid-date', 'createdAt', textOf(createdAt), origin)
  if (!Number.isInteger(laneNumber)) return refuse('invalid-value', 'laneNumber', textOf(laneNumber), origin)
  if (sequence !== undefined && !Number.isSafeInteger(sequence))
    return refuse('invalid-value', 'sequence', textOf(sequence), origin)
  return {
    vehicle: {
      ...origin,
      at: time.data.getTime(),
      isLocal: false,
      isHour: false,
      sequence: (sequence as number | undefined) ?? null,
      speed: numberOf(measurement.speed),
      length: numberOf(measurement.vehLength),
      height: numberOf(measurement.vehHeight),
      ctg8p1: numberOf(measurement.ctg8p1) ?? 0,
      ...axlesOf(measurement.axles),
      plate: null,
      nationality: null,
      measurement,
    },
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? cutText(String(value), 100) : ''
const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)

/** What a derived sequence is made of. */
function axlesOf(axles: unknown) {
  const list = Array.isArray(axles) ? axles : []
  const loads = list.map((axle) => {
    const [left, right] = [numberOf(axle?.leftWeight), numberOf(axle?.rightWeight)]
    return left === null && right === null ? null : (left ?? 0) + (right ?? 0)
  })
  const isWeighed = loads.some((load) => load !== null)
  const gross = isWeighed ? loads.reduce<number>((sum, load) => sum + (load ?? 0), 0) : null
  return { loads, gross, gaps: list.slice(1).map((axle) => numberOf(axle?.gap)) }
}
