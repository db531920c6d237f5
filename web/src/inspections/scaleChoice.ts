import { isValidAt } from '@rogatka/domain/certificates/validity.ts'

type Scale = { id: number } & Parameters<typeof isValidAt>[0]

/** Scales for a menu: valid ones first, each part in its order. */
export const validFirst = <S extends Scale>(scales: readonly S[], now: Date): S[] => [
  ...scales.filter((it) => isValidAt(it, now)),
  ...scales.filter((it) => !isValidAt(it, now)),
]

/**
 * The scale that is shown: the chosen one, also if it is out of validity, else the one that the user chose last or the only one, if it
 * is valid.
 */
export function scaleOf<S extends Scale>(
  scales: readonly S[],
  { chosen, last }: { chosen: number | null; last: number | null },
  now: Date,
): S | undefined {
  if (chosen !== null) return scales.find(({ id }) => id === chosen)
  const valid = scales.filter((it) => isValidAt(it, now))
  return valid.find(({ id }) => id === last) ?? (scales.length === 1 ? valid[0] : undefined)
}
