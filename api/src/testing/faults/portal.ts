import { readConfig } from '../../config.ts'
import { connect, type Pool } from '../../core/database.ts'
import type { Files } from '../../core/files.ts'
import { createHttp } from '../../core/http.ts'
import type { Mailer } from '../../core/mail.ts'
import { createMetrics } from '../../core/metrics.ts'
import type { OutboxChannel } from '../../core/outbox.ts'
import { createPlateSearches } from '../../core/plate-searches.ts'
import { createRateLimits } from '../../core/rate-limit.ts'
import { createRateCounter } from '../../core/rates.ts'
import type { Api } from '../../core/route.ts'
import { createSessions } from '../../core/sessions.ts'
import { createTrail } from '../../core/trail.ts'
import { createLiveWindow, type LiveWindow } from '../../current/live-window.ts'
import { createDocumentSigner } from '../../evidence/documents.ts'
import { createReceivers } from '../../ingest/receivers.ts'
import { ingestRoutes } from '../../ingest/routes.ts'
import { createStationKeys } from '../../locations/station-keys.ts'
import { ticketReport } from '../../tickets/report.ts'
import { ticketsRoutes } from '../../tickets/routes.ts'
import { syncTickets, ticketChannels, ticketService } from '../../tickets/sync.ts'
import { runSignController } from '../../vms/controller/controller.ts'
import type { OpenDriver } from '../../vms/driver.ts'
import { vmsRoutes } from '../../vms/routes.ts'
import { composeMail } from '../../wanted/messages/compose.ts'
import { MAIL } from '../../wanted/messages/kinds.ts'
import { ORGANIZATION } from './base.ts'
import type { Connections } from './connections.ts'
import type { Owner, World } from './world.ts'

/** A process of the portal, of the parts that the simulation is about. */
export type Portal = {
  owner: Owner
  db: Pool
  http: Api['http']
  live: LiveWindow
  channels: Record<string, OutboxChannel>
  /** The scheduled job of the ticket service. */
  syncTickets: () => Promise<void>
  /** Ends the sign controller, so that the end of other histories needs fewer steps. */
  stopSigns: () => void
  isReady: () => boolean
}

/** What a process uses outside the database. */
export type ExternalServices = {
  files: (owner: Owner) => Files
  mailer: (owner: Owner) => Mailer
  openSign: (owner: Owner) => OpenDriver
}

export const TICKETS_URL = 'http://tickets.simulated'
/** As in production. */
const SIGN_INTERVALS = { pollMs: 5_000, retryMs: 5_000 }
const metrics = createMetrics()
const documents = createDocumentSigner({ signer: null, stamping: null })

const config = readConfig({
  LOG_LEVEL: 'silent',
  // Its connections are replaced by those of the simulation.
  DATABASE_URL: 'postgres://simulated@127.0.0.1:1/simulated',
  DATA_DIR: '/nonexistent',
  SECOND_FACTOR: 'off',
  SECRET_KEY: 'ab'.repeat(32),
  ZAMMAD_URL: TICKETS_URL,
  ZAMMAD_TOKEN: 'simulated',
  ORGANIZATION,
})

type Features = { signs: boolean; tickets: boolean }

/** Starts a process as `createApp` does. Nothing of it has reached the database when this resolves. */
export function startPortal(
  world: World,
  owner: Owner,
  connections: Connections,
  outside: ExternalServices,
  features: Features,
): Promise<Portal> {
  return world.run(owner, async () => {
    const now = () => new Date()
    const db = connect(config.databaseUrl as string, 4, undefined, connections.simulate(owner))
    const limits = createRateLimits(now, db, () => {})
    const http = await createHttp(config, { write: () => {} }, undefined, limits)
    const { log } = http
    // A request of the simulation has its body at once.
    http.addHook('onRequest', async ({ raw }) => void Object.assign(raw, { complete: true }))
    const sessions = createSessions(db, log, config.secondFactor)
    const stationKeys = createStationKeys(db, log, now)
    const api: Api = {
      http,
      db,
      readDb: db,
      config,
      sessions,
      stationKeys,
      rates: createRateCounter(limits),
      searches: createPlateSearches(db, config.secretKey),
      metrics,
      trail: createTrail({ db, trailKey: config.trailKey, now, databaseNow: async () => now(), log }),
      now,
    }
    const files = outside.files(owner)
    const live = createLiveWindow(db, now, log)
    // Versions of images are made by libraries in other threads, for which there is no seam.
    const versions = { enqueue: () => {} } as unknown as Parameters<typeof createReceivers>[2]['versions']
    ingestRoutes(api, createReceivers(api, files, { versions, onStored: async () => {} }))
    if (features.signs) vmsRoutes(api)
    if (features.tickets) ticketsRoutes(api, files, ticketReport(config.organization, documents))
    await http.ready()

    const service = features.tickets ? ticketService(config, files) : null
    const mailer = outside.mailer(owner)
    const channels = {
      [MAIL]: { compose: composeMail(config.publicUrl), mailer },
      ...ticketChannels(db, service),
    }
    const window = live.follow()
    let isReady = false
    void window.ready.then(() => {
      isReady = true
    })
    sessions.listen([stationKeys])
    const driver = outside.openSign(owner)
    const signs = features.signs
      ? runSignController({
          db,
          now,
          log,
          drivers: { simulated: driver, ntcip1203: driver },
          intervals: SIGN_INTERVALS,
        })
      : null
    return {
      owner,
      db,
      http,
      live,
      channels,
      syncTickets: () => syncTickets(db, service, now()),
      stopSigns: () => world.run(owner, () => void signs?.stop()),
      isReady: () => isReady,
    }
  })
}
