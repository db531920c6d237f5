import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { connect } from './core/database.ts'
import { startJobs } from './core/jobs.ts'
import { startTelemetry } from './core/telemetry.ts'
import { sharedPort } from './core/workers.ts'

type Serving = { address: string; stop: () => Promise<void> }

/**
 * Serves requests in this process. `runsJobs`: also takes jobs of the queue, for which one process of a machine is
 * enough.
 */
export async function startServing(
  config: Config,
  databaseUrl: string,
  { runsJobs }: { runsJobs: boolean },
): Promise<Serving> {
  const db = connect(databaseUrl, config.connections)
  const app = await createApp(config, db)
  const telemetry = await startTelemetry(config, app.api.http.log)
  await app.listen()
  const jobs = runsJobs ? startJobs(databaseUrl, app.jobs, app.api.http.log) : undefined
  const address = await app.api.http.listen({ host: config.host, port: config.port, ...sharedPort() })
  return {
    address,
    stop: async () => {
      await app.close()
      await jobs?.stop()
      await db.end(2_000)
      await telemetry.stop()
    },
  }
}
