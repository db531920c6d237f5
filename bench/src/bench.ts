/** What a bench has to tell: a table, and lines below it. */
export type Table = { head: readonly string[]; rows: readonly (readonly string[])[]; notes?: readonly string[] }

/**
 * One way of doing the same work: `run` answers how many units it did. `against`: the name of what it is compared with;
 * without it that is the first of all.
 */
export type Contender = { name: string; against?: string; run: () => Promise<number> }

/** Ways of doing the same work, in turn, so that a slow minute of the machine hits them alike. */
export type Comparison = {
  summary: string
  /** What has to hold, in words. */
  goal?: string
  /** What `run` counts. */
  unit: string
  rounds: number
  /**
   * Prepares and answers the contenders, the baseline first, how to clear up after them, and what was noticed
   * meanwhile.
   */
  prepare: () => Promise<{ contenders: Contender[]; notes?: () => string[]; clear: () => Promise<void> }>
}

/** A bench that measures in its own way. */
export type Measurement = { summary: string; goal?: string; measure: () => Promise<Table[]> }

export type Bench = Comparison | Measurement

/** Less of everything: for a look at all of them in some minutes. */
export const isQuick = process.env.BENCH_QUICK === '1'
