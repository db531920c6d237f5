type Weighed = { totalLoad: number | null; limitTotalLoad: number | null }

/** Whether a gross weight is shown in red: at its limit or above it, as the specification has it. In kg. */
export const isAtOrOverLimit = ({ totalLoad, limitTotalLoad }: Weighed): boolean =>
  totalLoad !== null && limitTotalLoad !== null && totalLoad >= limitTotalLoad
