import { type Database, type Pool, SNAPSHOT } from './database.ts'
import { raw, type Statement, sql } from './statement.ts'

/** A value, what went wrong, or the end. */
type Step<T> = { value: T } | { error: unknown } | null

/**
 * What `work` yields, out of one transaction that sees one moment of the database. It ends when `work` does, when
 * nobody asks any more, or when the connection is lost: that is an error even if nothing was asked of the connection
 * just then. `work` asks nothing but its own connection, and nothing at its end.
 */
export async function* streamFromSnapshot<T>(
  db: Pool,
  work: (db: Database) => AsyncIterable<T>,
): AsyncGenerator<T, void> {
  let give: (step: Step<T>) => void = () => {}
  let ask: (more: boolean) => void = () => {}
  const question = () =>
    new Promise<boolean>((resolve) => {
      ask = resolve
    })

  let asked = question()
  const handOver = async (db: Database) => {
    if (!(await asked)) return
    for await (const value of work(db)) {
      asked = question()
      give({ value })
      if (!(await asked)) return
    }
  }
  let end: { step: Step<T> } | undefined
  // Told to whoever waits just then: a race with what lasts to the end would keep everything that was ever given.
  const over = db
    .transaction(handOver, { mode: SNAPSHOT })
    .then(
      () => null,
      (error: unknown) => ({ error }),
    )
    .then((step) => {
      end = { step }
      give(step)
    })

  try {
    while (true) {
      const given = new Promise<Step<T>>((resolve) => {
        give = resolve
        if (end) resolve(end.step)
      })
      ask(true)
      const step = await given
      if (step === null) return
      if ('error' in step) throw step.error
      yield step.value
    }
  } finally {
    ask(false)
    await over
  }
}

/** The rows of a statement, at most `size` at a time, of one moment. */
export const cursorRows = <Row>(db: Pool, statement: Statement, size: number): AsyncGenerator<Row[], void> =>
  streamFromSnapshot(db, (db) => fetchRows<Row>(db, statement, size))

/** The same inside a transaction, which must last until the rows are read. */
export async function* fetchRows<Row>(db: Database, statement: Statement, size: number): AsyncGenerator<Row[], void> {
  await db.execute(sql`declare found no scroll cursor for ${statement}`)
  while (true) {
    const rows = await db.query<Row>(sql`fetch ${raw(String(size))} from found`)
    if (rows.length === 0) return
    yield rows
  }
}
