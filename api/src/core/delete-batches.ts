/** Rows that one statement deletes, so that none holds its locks for long. */
const BATCH = 10_000

/** Repeats a deletion of at most `limit` rows until it finds fewer. */
export async function deleteInBatches(deleteBatch: (limit: number) => Promise<number>): Promise<void> {
  while ((await deleteBatch(BATCH)) === BATCH);
}
