import './core/threads.ts'
import { readConfig } from './config.ts'
import { databaseOfWorker, isJobWorker, reportListening, stopOnSignals } from './core/workers.ts'
import { startServing } from './serving.ts'

/* One of several server processes behind one port, started by `server.ts` with the settings of the first. */

const config = readConfig(process.env)
const serving = startServing(config, databaseOfWorker(), { runsJobs: isJobWorker() })
stopOnSignals(async () => (await serving).stop())
serving.then(
  ({ address }) => reportListening(address),
  (error: Error) => {
    console.error(error.message)
    process.exit(1)
  },
)
