/** What identifies a vehicle without a sequence. Null: not measured. */
export type SequenceSource = {
  locationId: number
  createdAt: Date
  laneNumber: number
  speed: number | null
  length: number | null
  /** kg */
  gross: number | null
  loads: readonly (number | null)[]
  gaps: readonly (number | null)[]
}

const joinNumbers = (values: readonly (number | null)[]) => values.map((value) => value ?? '').join(',')

/** The text whose SHA-256 gives the sequence, without the number of equal rows before it. */
export const sequenceText = ({
  locationId,
  createdAt,
  laneNumber,
  speed,
  length,
  gross,
  loads,
  gaps,
}: SequenceSource) =>
  `import|${locationId}|${createdAt.toISOString()}|${laneNumber}|${speed ?? ''}|${length ?? ''}|${gross ?? ''}|${joinNumbers(loads)}|${joinNumbers(gaps)}`

/** The sequence from the first five bytes of a SHA-256, from 1 to 2^40 - 1. */
export function sequenceFrom(digest: Uint8Array): number {
  let value = 0
  for (let index = 0; index < 5; index++) value = value * 256 + (digest[index] ?? 0)
  return (value % (2 ** 40 - 1)) + 1
}

/** Rows of two generations of this size are remembered at a time. */
const GENERATION = 100_000

/**
 * Counts equal texts: returns how often one was counted before. In bounded memory: of equal rows that are more than
 * 100,000 rows apart the later one may count as the first.
 */
export function createRepeatCounter(generation = GENERATION): (text: string) => number {
  let [recent, older] = [new Map<string, number>(), new Map<string, number>()]
  return (text) => {
    const before = recent.get(text) ?? older.get(text) ?? 0
    if (recent.size >= generation) [recent, older] = [new Map(), recent]
    recent.set(text, before + 1)
    return before
  }
}
