import { type Database, type Pool, SNAPSHOT } from './database.ts'
import { raw, type Statement, sql } from './statement.ts'

/** A value, an error, or null at the end. */
type Step<T> = { value: T } | { error: unknown } | null

/**
 * Yields the values of `work`, which runs in one read-only snapshot transaction. Ends with `work`, or when the consumer
 * stops. Throws when the connection is lost, even while idle; a replica that fails before the first value is replaced by
 * the primary. `work` must query only its own connection, and not after its last value.
 */
export async function* streamFromSnapshot<T>(
  db: Pool,
  work: (db: Database) => AsyncIterable<T>,
): AsyncGenerator<T, void> {
  let resolveStep: (step: Step<T>) => void = () => {}
  let resolveRequest: (more: boolean) => void = () => {}
  const createRequest = () =>
    new Promise<boolean>((resolve) => {
      resolveRequest = resolve
    })

  let request = createRequest()
  let runs = 0
  let hasYielded = false
  /** From now on the values of the failed run are dropped. */
  const isRepeatable = () => {
    if (!hasYielded) runs += 1
    return !hasYielded
  }
  const produce = async (db: Database) => {
    const run = runs
    if (!(await request)) return
    for await (const value of work(db)) {
      // Of a replica that was given up meanwhile.
      if (run !== runs) return
      hasYielded = true
      request = createRequest()
      resolveStep({ value })
      if (!(await request)) return
    }
  }
  let end: { step: Step<T> } | undefined
  // Resolves the current step only: a race against a long-lived promise would retain every value.
  const completion = db
    .transaction(produce, { mode: SNAPSHOT, mayIdle: true, isRepeatable })
    .then(
      () => null,
      (error: unknown) => ({ error }),
    )
    .then((step) => {
      end = { step }
      resolveStep(step)
    })

  try {
    while (true) {
      const nextStep = new Promise<Step<T>>((resolve) => {
        resolveStep = resolve
        if (end) resolve(end.step)
      })
      resolveRequest(true)
      const step = await nextStep
      if (step === null) return
      if ('error' in step) throw step.error
      yield step.value
    }
  } finally {
    resolveRequest(false)
    await completion
  }
}

/** The rows of a statement in one snapshot, in batches of at most `size`. */
export const cursorRows = <Row>(db: Pool, statement: Statement, size: number): AsyncGenerator<Row[], void> =>
  streamFromSnapshot(db, (db) => fetchRows<Row>(db, statement, size))

/** The same within a transaction, which must stay open until the rows are read. */
export async function* fetchRows<Row>(db: Database, statement: Statement, size: number): AsyncGenerator<Row[], void> {
  await db.execute(sql`declare found no scroll cursor for ${statement}`)
  while (true) {
    const rows = await db.query<Row>(sql`fetch ${raw(String(size))} from found`)
    if (rows.length === 0) return
    yield rows
  }
}

/**
 * Opens a cursor; each call of the returned function fetches a batch, as arrays of column values. The transaction must
 * last until the last one is read. A failed batch causes no unhandled rejection, only that of its promise.
 */
export async function openCursor(db: Database, statement: Statement, size: number) {
  await db.execute(sql`declare found no scroll cursor for ${statement}`)
  return (): Promise<unknown[][]> => {
    const batch = db.arrays(sql`fetch ${raw(String(size))} from found`)
    batch.catch(() => {})
    return batch
  }
}
