/** Maximum number of rows per statement, to limit how long its locks are held. */
const BATCH = 10_000

/** Repeats a deletion of at most `limit` rows until fewer are deleted. */
export async function deleteInBatches(deleteBatch: (limit: number) => Promise<number>): Promise<void> {
  while ((await deleteBatch(BATCH)) === BATCH);
}
