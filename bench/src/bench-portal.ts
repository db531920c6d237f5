import { join } from 'node:path'
import { connect } from '@rogatka/api/core/database.ts'
import { attachEmbedded } from '@rogatka/api/core/embedded.ts'
import { startPortal } from '@rogatka/e2e/portal.ts'

/** Starts a server process without demo and request limit, and connects to its database. */
export async function startBenchPortal() {
  const portal = await startPortal({ DEMO: 'false', REQUESTS_PER_MINUTE: '1000000' })
  const { url } = await attachEmbedded(join(portal.dataDir, 'postgres'))
  return { portal, url, db: connect(url, 8) }
}
