import { join } from 'node:path'
import { connect } from '@rogatka/api/core/database.ts'
import { attachEmbedded } from '@rogatka/api/core/embedded.ts'
import { startPortal } from '@rogatka/e2e/portal.ts'

/**
 * Starts a server process without demo and request limit, and connects to its database: that of BENCH_DATABASE_URL, which
 * may be distributed and should have no stations, else an embedded one.
 */
export async function startBenchPortal() {
  const { BENCH_DATABASE_URL } = process.env
  const settings = { DEMO: 'false', REQUESTS_PER_MINUTE: '1000000' }
  if (BENCH_DATABASE_URL) {
    const portal = await startPortal({ ...settings, DATABASE_URL: BENCH_DATABASE_URL })
    return { portal, url: BENCH_DATABASE_URL, db: connect(BENCH_DATABASE_URL, 8) }
  }
  const portal = await startPortal(settings)
  const { url } = await attachEmbedded(join(portal.dataDir, 'postgres'))
  return { portal, url, db: connect(url, 8) }
}
