/** Runs all, also after one that failed. @throws the first error */
export async function runEach(runs: readonly (() => Promise<unknown>)[]): Promise<void> {
  const errors: unknown[] = []
  for (const run of runs) await run().catch((error: unknown) => errors.push(error))
  if (errors.length > 0) throw errors[0]
}
