/** Between 0 and 1; null of nothing, or of an unknown part. */
export const shareOf = (part: number | null, whole: number): number | null =>
  part === null || whole === 0 ? null : part / whole
