import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type Pool } from '@rogatka/api/core/database.ts'
import { startEmbedded } from '@rogatka/api/core/embedded.ts'
import { migrate } from '@rogatka/api/core/migrate.ts'
import { seedLegalLimits } from '@rogatka/api/locations/queries.ts'

/** An empty, migrated database with the settings of the embedded PostgreSQL, deleted by `drop`. */
export async function benchDatabase(): Promise<{ db: Pool; url: string; drop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'rogatka-bench-'))
  // Started by root, PostgreSQL runs as another user, who needs access to its folder below this one.
  await chmod(folder, 0o755)
  const { url, stop } = await startEmbedded(join(folder, 'postgres'))
  await migrate(url)
  const db = connect(url, 8)
  await seedLegalLimits(db)
  return {
    db,
    url,
    drop: async () => {
      await db.end(2_000)
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
