type Finding = { name: string; excess: string | null }

/** Characters of the lower line of a row; names of stations and violations share it. */
const LINE_LENGTH = 78
/** A mark and the space around a violation, in characters. */
const MARK_LENGTH = 4

const lengthOf = ({ name, excess }: Finding) => name.length + (excess?.length ?? 0) + MARK_LENGTH

/** The first violations, at least one, that fit beside a text of this length; and the number of the others. */
export function fitFindings<F extends Finding>(
  findings: readonly F[],
  besideLength: number,
): { shown: F[]; more: number } {
  const shown: F[] = []
  let left = LINE_LENGTH - besideLength
  for (const finding of findings) {
    left -= lengthOf(finding)
    if (left < 0 && shown.length > 0) break
    shown.push(finding)
  }
  return { shown, more: findings.length - shown.length }
}
