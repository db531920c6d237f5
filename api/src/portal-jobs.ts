import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { deleteAlarmsBefore } from './alarms/queries.ts'
import { updateDerived } from './archive/derived/maintenance.ts'
import { freezeRecentReferences } from './calibration/lanes.ts'
import { deleteActivityBefore } from './core/activity-log.ts'
import type { RunExpiry } from './core/clock.ts'
import type { Files } from './core/files.ts'
import { deleteFailedJobs, type JobDefinitions, type Lane, type RecurringTask, type Task } from './core/jobs.ts'
import { DELIVER_JOBS, deleteSettledMessages, deliver, deliverUnsent, type OutboxChannel } from './core/outbox.ts'
import { deleteExpiredSearches } from './core/plate-search-queries.ts'
import { deleteExpiredRefusals } from './core/purpose.ts'
import type { Api } from './core/route.ts'
import { endExpiredSessions } from './core/sessions.ts'
import { dropExpiredTrail, prepareTrailPartitions } from './core/trail-partitions.ts'
import { createLivePlates } from './current/shown.ts'
import type { Visits } from './current/visits.ts'
import { deleteOldStates } from './datex/publish.ts'
import { deleteOldDevices } from './devices/maintenance.ts'
import { anchorChains, copyAnchors } from './evidence/anchors.ts'
import { checkEvidence, EVIDENCE_CHECK } from './evidence/check.ts'
import { deleteStampsBefore, STAMP_DAYS } from './evidence/stamp-queries.ts'
import type { Stamping } from './evidence/stamping.ts'
import { keptSince } from './evidence/verify-passages.ts'
import type { ImportContext } from './imports/context.ts'
import { pruneImports, workOnImport, workOnImports } from './imports/work.ts'
import { pruneQuarantine } from './ingest/queries.ts'
import { deriveInspectionMonths } from './inspections/figures-derive.ts'
import { deleteExpiredInspections, passOverdueInspections } from './inspections/maintenance.ts'
import { deriveOffenders, reviewOffenders } from './offenders/derive.ts'
import { deriveQuarters } from './overview/derive.ts'
import { deleteExpiredReportLinks } from './reports/link-queries.ts'
import { deleteExpiredFactorSteps } from './session/factor-routes.ts'
import { deleteOldFailures } from './session/queries.ts'
import { deriveDistributionDays, deriveTraffic } from './statistics/derive.ts'
import { deleteOldSystems } from './systems/maintenance.ts'
import { checkCalibration, checkNoData, checkQuality } from './tickets/health-checks.ts'
import type { Service } from './tickets/service.ts'
import { syncTickets } from './tickets/sync.ts'
import { deleteExpiredResetTokens } from './users/credential-queries.ts'
import { dropExpired, preparePartitions } from './vehicle/maintenance.ts'
import { deleteBefore } from './vms/controller/queries.ts'
import { deleteExpiredPlates, deleteHits } from './wanted/routes.ts'
import { recordEndingCertificates } from './webhooks/certificates.ts'
import { markLateWebhooks } from './webhooks/late.ts'
import { deleteOldEvents } from './webhooks/maintenance.ts'

type Context = Pick<Api, 'db' | 'config' | 'trail' | 'now'> & {
  files: Files
  service: Service | null
  channels: Record<string, OutboxChannel>
  visits: Visits
  imports: ImportContext
  /** For what is deleted by its age, or counted by it. */
  expire: RunExpiry
  stamping: Stamping | null
  /** Logs that partitions wait to be dropped, if there are any. */
  logPendingPartitions: (partitions: readonly string[]) => void
}

/** All jobs of the portal, recurring and queued. */
export const createPortalJobs = (context: Context): JobDefinitions => ({
  recurring: recurringTasks(context),
  tasks: queuedTasks(context),
})

const queuedTasks = ({ db, channels, imports, now }: Context): Task[] => [
  ...Object.entries(DELIVER_JOBS).map(([lane, name]) => ({
    name,
    lane: lane as Lane,
    run: (payload: unknown) => deliver(db, (payload as { id: number }).id, { channels, now: now() }),
  })),
  {
    name: 'work-on-import',
    lane: 'long',
    run: (payload) => workOnImport(imports, (payload as { id: number }).id),
  },
]

/** Scheduled jobs, each run by one process. */
function recurringTasks(context: Context): RecurringTask[] {
  const { db, config, files, service, channels, visits, trail, imports, stamping, now, expire, logPendingPartitions } =
    context
  return [
    {
      name: 'remove-dead-sessions',
      cron: '* * * * *',
      work: async () => {
        await endExpiredSessions(db, now())
        await deleteExpiredResetTokens(db, now())
        await deleteOldFailures(db, now())
        await deleteExpiredFactorSteps(db, now())
      },
    },
    { name: 'close-silent-visits', cron: '* * * * *', work: () => visits.closeIdle(now()) },
    { name: 'close-access-visits', cron: '* * * * *', work: () => trail.closeIdle(createLivePlates(db)) },
    { name: 'bring-archive-up-to-date', cron: '* * * * *', work: () => updateDerived(db) },
    { name: 'derive-traffic', cron: '* * * * *', work: async () => void (await deriveTraffic(db, now())) },
    { name: 'derive-distributions', cron: '* * * * *', work: async () => void (await deriveDistributionDays(db)) },
    { name: 'derive-inspections', cron: '* * * * *', work: async () => void (await deriveInspectionMonths(db)) },
    { name: 'freeze-references', cron: '40 * * * *', work: () => freezeRecentReferences(db, now()) },
    { name: 'work-on-imports', cron: '* * * * *', lane: 'long', work: () => workOnImports(imports) },
    {
      name: 'prune-imports',
      cron: '25 * * * *',
      work: () => expire((at) => pruneImports({ ...imports, now: () => at }, config.activityRetentionDays)),
    },
    { name: 'clean-quarantine', cron: '20 * * * *', work: () => expire((at) => pruneQuarantine(db, at)) },
    {
      name: 'prepare-partitions',
      cron: '0 1 * * *',
      catchUp: '1d',
      work: async () => {
        await preparePartitions(db, now(), config.partitions)
        await prepareTrailPartitions(db, now())
      },
    },
    {
      name: 'drop-expired-access-trail',
      // Each hour, as a dump that reads them at night delays it; the same for vehicles.
      cron: '35 * * * *',
      catchUp: '1d',
      lane: 'long',
      work: () =>
        expire(async (at) => {
          await deleteExpiredRefusals(db, at)
          logPendingPartitions(await dropExpiredTrail(db, at))
        }),
    },
    {
      name: 'drop-expired',
      cron: '30 * * * *',
      catchUp: '1d',
      lane: 'long',
      work: () => expire(async (at) => logPendingPartitions(await dropExpired(db, files, at, config))),
    },
    {
      name: 'forget-signs',
      cron: '50 1 * * *',
      catchUp: '1d',
      work: () => expire((at) => deleteBefore(db, new Date(at.getTime() - config.retentionDays * DAY_MS))),
    },
    {
      name: 'delete-alarms',
      cron: '55 1 * * *',
      catchUp: '1d',
      // Their plates are kept no longer than the vehicles.
      work: () => expire((at) => deleteAlarmsBefore(db, new Date(at.getTime() - config.retentionDays * DAY_MS))),
    },
    {
      name: 'delete-old-history',
      cron: '10 2 * * *',
      catchUp: '1d',
      work: () =>
        expire((at) => deleteActivityBefore(db, new Date(at.getTime() - config.activityRetentionDays * DAY_MS))),
    },
    {
      name: 'delete-old-devices',
      cron: '12 2 * * *',
      catchUp: '1d',
      work: () => expire((at) => deleteOldDevices(db, at, config.activityRetentionDays)),
    },
    {
      name: 'delete-old-systems',
      cron: '13 2 * * *',
      catchUp: '1d',
      work: () => expire((at) => deleteOldSystems(db, at, config.activityRetentionDays)),
    },
    {
      name: 'delete-datex-states',
      cron: '14 2 * * *',
      catchUp: '1d',
      work: () => expire((at) => deleteOldStates(db, at)),
    },
    {
      name: 'delete-settled-messages',
      cron: '15 2 * * *',
      catchUp: '1d',
      work: () => expire((at) => deleteSettledMessages(db, at)),
    },
    { name: 'delete-failed-jobs', cron: '20 2 * * *', catchUp: '1d', work: () => deleteFailedJobs(db) },
    { name: 'deliver-unsent', cron: '* * * * *', work: () => deliverUnsent(db, { channels, now: now() }) },
    {
      name: 'delete-expired-plates',
      cron: '55 1 * * *',
      catchUp: '1d',
      work: () => expire((at) => deleteExpiredPlates(db, at)),
    },
    { name: 'delete-expired-searches', cron: '25 * * * *', work: () => deleteExpiredSearches(db, now()) },
    { name: 'delete-expired-report-links', cron: '*/15 * * * *', work: () => deleteExpiredReportLinks(db, now()) },
    { name: 'forget-hits', cron: '50 1 * * *', catchUp: '1d', work: () => expire((at) => deleteHits(db, at, config)) },
    { name: 'pass-inspections', cron: '* * * * *', work: () => passOverdueInspections(db, now()) },
    {
      name: 'delete-inspections',
      cron: '30 2 * * *',
      catchUp: '1d',
      work: () => expire((at) => deleteExpiredInspections(db, files, at, config)),
    },
    {
      name: 'record-ending-certificates',
      cron: '5 * * * *',
      work: () => recordEndingCertificates(db, now()),
    },
    {
      name: 'delete-webhook-events',
      cron: '16 2 * * *',
      catchUp: '1d',
      work: () => expire((at) => deleteOldEvents(db, at, config.retentionDays)),
    },
    { name: 'watch-webhooks', cron: '* * * * *', work: () => markLateWebhooks(db, now()) },
    {
      name: 'anchor-chains',
      cron: '*/5 * * * *',
      work: async () => {
        await anchorChains(db, now(), stamping !== null)
        if (config.evidenceCopy) await copyAnchors(db, config.evidenceCopy, now())
      },
    },
    {
      name: EVIDENCE_CHECK,
      cron: '20 3 * * *',
      catchUp: '1d',
      lane: 'long',
      work: async () => void (await checkEvidence(db, now, keptSince(now(), config))),
    },
    {
      name: 'delete-old-stamps',
      cron: '17 2 * * *',
      catchUp: '1d',
      work: () => expire((at) => deleteStampsBefore(db, new Date(at.getTime() - STAMP_DAYS * DAY_MS))),
    },
    ...(stamping
      ? [{ name: 'stamp-evidence', cron: '* * * * *', lane: 'stamps' as const, work: stamping.stampDue }]
      : []),
    { name: 'derive-quarters', cron: '* * * * *', work: () => expire((at) => deriveQuarters(db, at)) },
    { name: 'derive-offenders', cron: '* * * * *', work: () => expire((at) => deriveOffenders(db, at)) },
    {
      name: 'review-offenders',
      cron: '10 3 * * *',
      catchUp: '1d',
      work: () => expire((at) => reviewOffenders(db, at)),
    },
    { name: 'sync-tickets', cron: '* * * * *', lane: 'tickets', work: () => syncTickets(db, service, now()) },
    { name: 'watch-silence', cron: '* * * * *', work: () => checkNoData(db, config.organization, now()) },
    { name: 'watch-quality', cron: '*/15 * * * *', work: () => checkQuality(db, config.organization, now()) },
    {
      name: 'watch-calibration',
      cron: '50 * * * *',
      work: () => checkCalibration(db, config.organization, now()),
    },
  ]
}
