import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { silenceAlarmSince } from '@rogatka/domain/locations/availability.ts'
import { RETRY_MS } from '@rogatka/domain/vms/circuit.ts'
import { activityReport, userLogReport } from './activity/report.ts'
import { activityRoutes } from './activity/routes.ts'
import { createAlarmBoard } from './alarms/board.ts'
import { type AlarmScheduler, runAlarms } from './alarms/leader.ts'
import { alarmsRoutes } from './alarms/routes.ts'
import { archiveExportRoutes } from './archive/export-routes.ts'
import { archiveList } from './archive/report.ts'
import { archiveReportRoutes } from './archive/report-routes.ts'
import { archiveRoutes } from './archive/routes.ts'
import { calibrationListReport } from './calibration/list-report.ts'
import { calibrationReportKind } from './calibration/report.ts'
import { calibrationRoutes } from './calibration/routes.ts'
import { certificatesRoutes } from './certificates/routes.ts'
import type { Config } from './config.ts'
import { createCachedRead } from './core/cached-read.ts'
import { createExpiry, readDatabaseTime } from './core/clock.ts'
import type { Pool } from './core/database.ts'
import { healthRoutes } from './core/health.ts'
import { createHttp, type LogTarget } from './core/http.ts'
import { type JobDefinitions, jobFigures } from './core/jobs.ts'
import { type Mailer, noMailer, smsWebhook, smtpMailer } from './core/mail.ts'
import { addGauges, createMetrics, type PortalFigures } from './core/metrics.ts'
import { openFiles } from './core/open-files.ts'
import { oldestFailing } from './core/outbox.ts'
import type { PassageKey } from './core/passage.ts'
import { createPlateSearches } from './core/plate-searches.ts'
import { createRateLimits } from './core/rate-limit.ts'
import { createRateCounter } from './core/rates.ts'
import { createReplica } from './core/replica.ts'
import type { Api } from './core/route.ts'
import { createSessions } from './core/sessions.ts'
import { serveSpa } from './core/spa.ts'
import { withTokens } from './core/token-sessions.ts'
import { createTrail } from './core/trail.ts'
import { countOverdueTrail } from './core/trail-partitions.ts'
import { createLiveWindow } from './current/live-window.ts'
import { currentRoutes } from './current/routes.ts'
import { createVisits } from './current/visits.ts'
import { datexRoutes } from './datex/routes.ts'
import { deviceTokens } from './devices/device-sessions.ts'
import { devicesRoutes } from './devices/routes.ts'
import { openSigner, readAuthorities } from './evidence/certificate-store.ts'
import { evidenceState } from './evidence/check.ts'
import { createDocumentSigner } from './evidence/documents.ts'
import { createTrailPackager } from './evidence/log-package.ts'
import { createPackager } from './evidence/package.ts'
import { signedDocumentRoutes } from './evidence/routes.ts'
import { runSealing } from './evidence/sealing.ts'
import { sealingDelay } from './evidence/sealing-delay.ts'
import { createStamping } from './evidence/stamping.ts'
import type { ImportContext } from './imports/context.ts'
import { countRunning } from './imports/queries.ts'
import { importsRoutes } from './imports/routes.ts'
import { createReceivers } from './ingest/receivers.ts'
import { ingestRoutes } from './ingest/routes.ts'
import { copyLateImages } from './inspections/copy.ts'
import { figuresReport } from './inspections/figures-report.ts'
import { inspectionBlock, inspectionReport } from './inspections/report.ts'
import { inspectionsRoutes } from './inspections/routes.ts'
import { inspectionNumber, inspectionOfVehicle } from './inspections/vehicle-inspection.ts'
import { stationSilence } from './locations/queries.ts'
import { locationsRoutes } from './locations/routes.ts'
import { createStationKeys } from './locations/station-keys.ts'
import { stationsRoutes } from './locations/upkeep-routes.ts'
import { offendersRoutes } from './offenders/routes.ts'
import { overviewRoutes } from './overview/routes.ts'
import { createPortalJobs } from './portal-jobs.ts'
import { preferencesRoutes } from './preferences/routes.ts'
import { createReportLink } from './reports/link-queries.ts'
import { reportRoutes } from './reports/routes.ts'
import { createFileSender } from './reports/send-file.ts'
import { rolesRoutes } from './roles/routes.ts'
import { factorRoutes } from './session/factor-routes.ts'
import { passkeyRoutes } from './session/passkey-routes.ts'
import { createProviderClient } from './session/provider-client.ts'
import { providerRoutes } from './session/provider-routes.ts'
import { composeReset, RESET_MAIL } from './session/reset.ts'
import { sessionRoutes } from './session/routes.ts'
import { shiftsRoutes } from './shifts/routes.ts'
import { trafficReport } from './statistics/distribution-report.ts'
import { distributionRoutes } from './statistics/distribution-routes.ts'
import { statisticsReportKind } from './statistics/report.ts'
import { statisticsRoutes } from './statistics/routes.ts'
import { systemsRoutes } from './systems/routes.ts'
import { systemTokens } from './systems/system-sessions.ts'
import { availabilityReport } from './tickets/availability-report.ts'
import { stationHealthRoutes } from './tickets/health-routes.ts'
import { ticketReport } from './tickets/report.ts'
import { ticketsRoutes } from './tickets/routes.ts'
import { ticketChannels, ticketService } from './tickets/sync.ts'
import { trailReport } from './trail/report.ts'
import { trailRoutes } from './trail/routes.ts'
import { usersRoutes } from './users/routes.ts'
import { evidenceReport } from './vehicle/evidence.ts'
import { evidenceRoutes } from './vehicle/evidence-routes.ts'
import { createImageAddresses } from './vehicle/image-addresses.ts'
import { imageRoutes } from './vehicle/image-routes.ts'
import { createImageVersions } from './vehicle/image-versions.ts'
import { createListedPlates } from './vehicle/listed-plates.ts'
import { countOverduePartitions, imagesSince } from './vehicle/maintenance.ts'
import { vehiclesByKeys } from './vehicle/queries.ts'
import { type FindLive, vehicleRoutes } from './vehicle/routes.ts'
import { viewsRoutes } from './views/routes.ts'
import type { PollIntervals } from './vms/controller/connection.ts'
import { runSignController } from './vms/controller/controller.ts'
import { createNtcip1203, TIMING, type Timing } from './vms/ntcip1203/driver.ts'
import { plateOf } from './vms/plate.ts'
import { plateRoutes } from './vms/plate-routes.ts'
import { vmsRoutes } from './vms/routes.ts'
import { openSimulated } from './vms/simulated/driver.ts'
import { signUpkeepRoutes } from './vms/upkeep-routes.ts'
import { signStates } from './vms/view.ts'
import { contactRoutes } from './wanted/contact-routes.ts'
import { createOpenHits } from './wanted/desk/open-hits.ts'
import { deskRoutes } from './wanted/desk/routes.ts'
import { plateExport } from './wanted/export.ts'
import { composeMail, composeSms } from './wanted/messages/compose.ts'
import { MAIL, SMS } from './wanted/messages/kinds.ts'
import { wantedRoutes } from './wanted/routes.ts'
import { createAddressCheck } from './webhooks/addresses.ts'
import { webhookBacklog } from './webhooks/delivery-queries.ts'
import { composeInactive, composeLate, INACTIVE_MAIL, LATE_MAIL } from './webhooks/messages.ts'
import { webhooksRoutes } from './webhooks/routes.ts'
import { createWebhookSender } from './webhooks/send.ts'
import { runWebhooks } from './webhooks/sending.ts'

export type App = {
  api: Api
  /** For the job runner or a test. */
  jobs: JobDefinitions
  /** Starts LISTEN and background work. */
  listen: () => Promise<void>
  close: () => Promise<void>
}

/** A sign that goes offline or comes back shows on the screens within 10 s. */
const POLL_INTERVALS: PollIntervals = { pollMs: 5_000, retryMs: RETRY_MS }
/** Age of metrics from the database, of each process. */
const FIGURES_AGE_MS = 15_000
const SPA_FOLDER = fileURLToPath(new URL('../../web/dist', import.meta.url))

/** Assembles the server: core, then every feature. Starts no background work. */
export async function createApp(
  config: Config,
  db: Pool,
  overrides: {
    now?: () => Date
    /** The clock of the database, which limits what expires. */
    databaseNow?: () => Promise<Date>
    mailer?: Mailer
    logTo?: LogTarget
    signIntervals?: PollIntervals
    signTiming?: Timing
    alarmScheduler?: AlarmScheduler
    /** Whether evidence is sealed in the background: yes, unless a test seals it itself. */
    seals?: boolean
    /** Delay before signs, alarms and webhooks are worked on. Tests set it, as most of them end earlier. */
    backgroundDelayMs?: number
  } = {},
): Promise<App> {
  const now = overrides.now ?? (() => new Date())
  const databaseNow = overrides.databaseNow ?? (() => readDatabaseTime(db))
  const limits = createRateLimits(now, db, (error) => http.log.warn({ err: error }, 'rate limits: not reported'))
  const http: Api['http'] = await createHttp(config, overrides.logTo, undefined, limits)
  const holders = { db, log: http.log, now }
  const deviceSessions = withTokens(createSessions(db, http.log, config.secondFactor), deviceTokens, holders)
  const sessions = withTokens(deviceSessions, systemTokens, holders)
  const stationKeys = createStationKeys(db, http.log, now)
  const metrics = createMetrics()
  const trail = createTrail({ db, trailKey: config.trailKey, now, databaseNow, log: http.log })
  const rates = createRateCounter(limits)
  const searches = createPlateSearches(db, config.secretKey)
  const replica = config.replica
    ? createReplica({ ...config.replica, primary: db, registry: metrics.registry, log: http.log })
    : null
  const readDb = replica?.pool ?? db
  const api: Api = { http, db, readDb, config, sessions, stationKeys, rates, searches, metrics, trail, now }

  const mailer = overrides.mailer ?? (config.smtpUrl ? smtpMailer(config.smtpUrl, config.mailFrom) : noMailer)
  const sms = config.smsWebhookUrl ? smsWebhook(config.smsWebhookUrl) : noMailer
  const files = openFiles(config)
  const addresses = await createImageAddresses(db)
  const versions = createImageVersions({
    files,
    log: http.log,
    now,
    isExpired: (createdAt) => createdAt < imagesSince(now(), config),
  })
  const service = ticketService(config, files)
  const channels = {
    [RESET_MAIL]: { compose: composeReset(config.publicUrl), mailer },
    [INACTIVE_MAIL]: { compose: composeInactive(config.publicUrl), mailer },
    [LATE_MAIL]: { compose: composeLate(config.publicUrl), mailer },
    [MAIL]: { compose: composeMail(config.publicUrl), mailer },
    [SMS]: { compose: composeSms, mailer: sms },
    ...ticketChannels(db, service),
  }
  const live = createLiveWindow(db, now, http.log)
  const visits = createVisits(db, http.log)
  const { shiftStarts } = config
  const alarmBoard = createAlarmBoard(db, { now, shiftStarts, log: http.log })
  const openHits = createOpenHits({ db, now, log: http.log, shiftStarts, readVehicles: vehiclesByKeys })

  const ready = () => live.current() !== undefined
  const figures = createCachedRead(
    (now) => readFigures(db, now, databaseNow, config),
    FIGURES_AGE_MS,
    (error) => http.log.warn({ err: error }, 'metrics: not read from the database'),
  )
  addGauges(metrics.registry, {
    dataDir: config.dataDir,
    diskReserve: config.diskReserve,
    ready,
    liveEntries: () => live.current()?.memorySize() ?? 0,
    poolWaiting: db.waiting,
    readFigures: () => figures.read(now()),
  })
  healthRoutes(http, db, { metrics, ready, ...(replica && { isReplicaUsed: replica.isUsed }) })
  const providerCa = config.providerCa === undefined ? [] : [await readFile(config.providerCa, 'utf8')]
  const providerClient = createProviderClient(config.publicUrl, providerCa)
  sessionRoutes(api, providerClient)
  factorRoutes(api, providerClient)
  passkeyRoutes(api)
  providerRoutes(api, providerClient)
  usersRoutes(api)
  preferencesRoutes(api)
  activityRoutes(api)
  rolesRoutes(api)
  locationsRoutes(api)
  stationsRoutes(api)
  devicesRoutes(api, deviceSessions)
  systemsRoutes(api, sessions)
  const onStored = (images: readonly PassageKey[]) =>
    copyLateImages(db, files, images).catch((error) => http.log.warn({ err: error }, 'inspections: images not copied'))
  const receivers = createReceivers(api, files, { versions, onStored })
  ingestRoutes(api, receivers)
  currentRoutes(api, live, visits, addresses)
  overviewRoutes(api, live, openHits)
  const findLive: FindLive = (key, at) => live.current()?.find(key, at)
  const listed = createListedPlates()
  vehicleRoutes(
    api,
    { live: findLive, listed },
    { addresses, versions },
    { plateOf, inspectionOf: inspectionOfVehicle },
  )
  imageRoutes(api, findLive, { addresses, versions })
  vmsRoutes(api)
  signUpkeepRoutes(api)
  plateRoutes(api, findLive)
  archiveRoutes(api, addresses, listed)
  const signer = await openSigner(config.evidence)
  const authorities = config.stamps ? await readAuthorities(config.stamps) : []
  const stamping = config.stamps
    ? createStamping({ ...config.stamps, trusted: authorities, db, now, log: http.log })
    : null
  signedDocumentRoutes(api, {
    signers: signer ? [signer.certificate, ...signer.chain] : [],
    stamps: authorities,
  })
  const documents = createDocumentSigner({ signer, stamping })
  const packager = createPackager({ signer, stamping, authorities })
  const evidence = evidenceReport(files, config, { inspectionBlock, inspectionNumber, documents, packager })
  const archiveReport = archiveList(files, config)
  evidenceRoutes(api, evidence)
  archiveReportRoutes(api, archiveReport, (call, key, reportType, name) =>
    createReportLink(call, evidence, { ...key, reportType, name }),
  )
  const inspectionRecord = inspectionReport(files, config.shiftStarts, documents)
  const effectivenessReport = figuresReport(config.shiftStarts)
  const failureReport = ticketReport(config.organization, documents)
  ticketsRoutes(api, files, failureReport)
  const monthReport = availabilityReport(documents)
  stationHealthRoutes(api, monthReport, documents)
  const sendFile = createFileSender()
  archiveExportRoutes(api, sendFile)
  const accessTrail = trailReport(api, { documents, packager: createTrailPackager({ signer, stamping, authorities }) })
  const reportKinds = [
    accessTrail,
    evidence,
    archiveReport,
    activityReport,
    userLogReport,
    statisticsReportKind,
    trafficReport,
    calibrationReportKind,
    calibrationListReport,
    failureReport,
    monthReport,
    inspectionRecord,
    effectivenessReport,
    plateExport,
  ]
  reportRoutes(api, reportKinds, sendFile)
  shiftsRoutes(api)
  statisticsRoutes(api)
  distributionRoutes(api)
  calibrationRoutes(api)
  wantedRoutes(api)
  deskRoutes(api, openHits, vehiclesByKeys)
  certificatesRoutes(api, files)
  inspectionsRoutes(api, files, { record: inspectionRecord, figures: effectivenessReport })
  offendersRoutes(api)
  viewsRoutes(api)
  alarmsRoutes(api, alarmBoard)
  importsRoutes(api)
  webhooksRoutes(api)
  datexRoutes(api)
  trailRoutes(api, accessTrail)
  contactRoutes(api, { mail: mailer.canSend, sms: sms.canSend })
  await serveSpa(http, SPA_FOLDER)
  await http.ready()

  const expire = createExpiry(now, databaseNow)
  const stopImports = new AbortController()
  const imports: ImportContext = { db, config, now, log: http.log, signal: stopImports.signal }

  const stopFunctions: (() => Promise<void>)[] = []
  /** After the others, which write lines until they have stopped. */
  let stopTrail: (() => Promise<void>) | undefined
  let mqtt: { stop: () => Promise<void> } | undefined
  return {
    api,
    jobs: createPortalJobs({
      ...api,
      files,
      service,
      channels,
      visits,
      imports,
      stamping,
      expire,
      logPendingPartitions: (partitions) => {
        if (partitions.length > 0)
          http.log.warn({ partitions }, 'retention: others read these partitions, they are dropped later')
      },
    }),
    listen: async () => {
      replica?.start()
      const window = live.follow()
      const webhookSender = createWebhookSender({
        isAllowed: createAddressCheck(config.webhookAllow),
        authorities: config.webhookCa === undefined ? [] : [await readFile(config.webhookCa, 'utf8')],
      })
      const startBackgroundWork = () => {
        const drivers = {
          simulated: openSimulated(db, now),
          ntcip1203: createNtcip1203(overrides.signTiming ?? TIMING),
        }
        const liveVehicles = () =>
          live
            .current()
            ?.entries()
            .map(({ vehicle }) => vehicle)
        stopFunctions.push(
          runWebhooks({ db, sender: webhookSender, secretKey: config.secretKey, trail, now, log: http.log }).stop,
          runAlarms({ db, config, liveVehicles, now, log: http.log, scheduler: overrides.alarmScheduler }).stop,
          runSignController({
            db,
            now,
            log: http.log,
            drivers,
            intervals: overrides.signIntervals ?? POLL_INTERVALS,
          }).stop,
        )
      }
      stopFunctions.push(
        alarmBoard.stop,
        sessions.listen([stationKeys, addresses, limits, openHits, alarmBoard]).stop,
        stationKeys.start().stop,
        window.stop,
        visits.start(now).stop,
      )
      stopTrail = trail.start().stop
      if (overrides.backgroundDelayMs) {
        const timer = setTimeout(startBackgroundWork, overrides.backgroundDelayMs)
        stopFunctions.push(async () => clearTimeout(timer))
      } else startBackgroundWork()
      if (overrides.seals ?? true) stopFunctions.push(runSealing({ db, now, log: http.log }).stop)
      await Promise.all([window.ready, alarmBoard.ready, openHits.ready])
      // Its modules are loaded only where it is used.
      if (config.mqtt) {
        const { runMqtt } = await import('./mqtt/server.ts')
        mqtt = await runMqtt(api, { mqtt: config.mqtt, receivers, registry: metrics.registry })
      }
    },
    close: async () => {
      stopImports.abort()
      await Promise.all([http.close(), mqtt?.stop()])
      await versions.stop()
      await Promise.allSettled(stopFunctions.map((stop) => stop()))
      await stopTrail?.().catch(() => {})
      await replica?.stop()
    },
  }
}

/** Figures of the whole portal for its metrics. */
async function readFigures(
  db: Pool,
  now: Date,
  databaseNow: () => Promise<Date>,
  config: Config,
): Promise<PortalFigures> {
  const ofDatabase = await databaseNow()
  const stations = await stationSilence(db)
  const signs = await signStates(db, now)
  const { pending, oldestAt } = await webhookBacklog(db)
  const jobs = await jobFigures(db)
  const { sealingMs, anchorMs } = await sealingDelay(db, now)
  return {
    stationsSilent: stations.filter((station) => silenceAlarmSince(station, now) !== null).length,
    signsUnavailable: signs.filter(({ isAvailable }) => !isAvailable).length,
    webhookPending: pending,
    webhookOldestSeconds: oldestAt ? Math.max(0, now.getTime() - oldestAt.getTime()) / 1_000 : 0,
    outboxOldestSeconds: await oldestFailing(db, now),
    jobsFailed: jobs.failed,
    jobsOldestSeconds: jobs.oldestSeconds,
    jobsScheduledSeconds: jobs.scheduledSeconds,
    clockDifferenceSeconds: Math.abs(now.getTime() - ofDatabase.getTime()) / 1_000,
    importsRunning: await countRunning(db),
    evidenceBroken: (await evidenceState(db, now)) === 'intact' ? 0 : 1,
    sealingSeconds: sealingMs / 1_000,
    anchorSeconds: anchorMs / 1_000,
    partitionsOverdue: (await countOverduePartitions(db, now, config)) + (await countOverdueTrail(db, now)),
  }
}
