/** A result: a table, and notes below it. */
export type Table = { head: readonly string[]; rows: readonly (readonly string[])[]; notes?: readonly string[] }

/**
 * One way of doing the same work; `run` returns the number of units done. `against`: the name of its baseline; by default
 * the first contender. `before` runs before the clock starts.
 */
export type Contender = {
  name: string
  against?: string
  before?: () => Promise<void>
  run: () => Promise<number>
}

/** Contenders run in turn, so that a slow minute of the machine affects all of them alike. */
export type Comparison = {
  summary: string
  /** The target, as text. */
  goal?: string
  /** What `run` counts. */
  unit: string
  rounds: number
  /** Prepares and returns the contenders, the baseline first, the clean-up, and the notes taken meanwhile. */
  prepare: () => Promise<{ contenders: Contender[]; notes?: () => string[]; clear: () => Promise<void> }>
}

/** A benchmark with its own procedure, whose tables are printed as they come. */
export type Measurement = { summary: string; goal?: string; measure: () => Promise<Table[]> | AsyncGenerator<Table> }

export type Bench = Comparison | Measurement

/** Less data and fewer rounds, to run all benchmarks in some minutes. */
export const isQuick = process.env.BENCH_QUICK === '1'

const requested = new RegExp(process.env.BENCH_ONLY ?? '')

/** Whether a part of this name is measured: all, or with BENCH_ONLY those whose names match. */
export const isRequested = (name: string): boolean => requested.test(name)
