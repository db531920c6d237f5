type GrossWeight = { totalLoad: number | null; limitTotalLoad: number | null }

/** Whether a gross weight is shown in red: at or above its limit, kg, as specified. */
export const isAtOrOverLimit = ({ totalLoad, limitTotalLoad }: GrossWeight): boolean =>
  totalLoad !== null && limitTotalLoad !== null && totalLoad >= limitTotalLoad
