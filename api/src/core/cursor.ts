import { isDatabaseAway, type Pool, type Sql } from './database.ts'

/**
 * What `work` yields, out of one transaction that sees one moment of the database. It ends when `work` does, when
 * nobody asks any more, or when the connection is lost: that is an error even if nothing was asked of the connection
 * just then. `work` asks nothing but its own connection, and nothing at its end.
 */
export async function* fromSnapshot<T>(sql: Pool, work: (sql: Sql) => AsyncIterable<T>): AsyncGenerator<T, void> {
  let give: (value: { value: T }) => void = () => {}
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
  let lost = false
  const over = sql
    .begin('isolation level repeatable read read only', (sql) =>
      handOver(sql).catch((error: unknown) => {
        // The driver would roll back on the lost connection, which ends the whole process (porsager/postgres#1208).
        // It tells of the loss itself, so this may stay open for ever.
        if (isDatabaseAway(error)) return new Promise<void>(() => {})
        throw error
      }),
    )
    .then(
      () => null,
      (error: unknown) => {
        lost = isDatabaseAway(error)
        return { error }
      },
    )

  try {
    while (true) {
      const given = new Promise<{ value: T }>((resolve) => {
        give = resolve
      })
      // For the same reason nothing more is asked of a lost connection.
      if (!lost) ask(true)
      const step = await Promise.race([given, over])
      if (step === null) return
      if ('error' in step) throw step.error
      yield step.value
    }
  } finally {
    if (!lost) ask(false)
    await over
  }
}
