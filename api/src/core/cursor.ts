import type { Pool, Sql } from './database.ts'

/** A value, what went wrong, or the end. */
type Step<T> = { value: T } | { error: unknown } | null

/**
 * What `work` yields, out of one transaction that sees one moment of the database. It ends when `work` does, when
 * nobody asks any more, or when the connection is lost: that is an error even if nothing was asked of the connection
 * just then. `work` asks nothing but its own connection, and nothing at its end.
 */
export async function* fromSnapshot<T>(sql: Pool, work: (sql: Sql) => AsyncIterable<T>): AsyncGenerator<T, void> {
  let give: (step: Step<T>) => void = () => {}
  let ask: (more: boolean) => void = () => {}
  const question = () =>
    new Promise<boolean>((resolve) => {
      ask = resolve
    })

  let asked = question()
  const handOver = async (sql: Sql) => {
    if (!(await asked)) return
    for await (const value of work(sql)) {
      asked = question()
      give({ value })
      if (!(await asked)) return
    }
  }
  let end: { step: Step<T> } | undefined
  // Told to whoever waits just then: a race with what lasts to the end would keep everything that was ever given.
  const over = sql
    .begin('isolation level repeatable read read only', handOver)
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
