import type { Scale } from '@rogatka/contract/certificates.ts'
import { list as liveList } from '@rogatka/contract/current.ts'
import * as endpoints from '@rogatka/contract/inspections.ts'
import type { Vehicle } from '@rogatka/contract/vehicle.ts'
import { HOUR_MS, MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { detectionBySequence, type SimulatedStation } from '../detection.ts'
import { pause } from '../http.ts'
import type { Log } from '../log.ts'
import { nationalities } from '../plates.ts'
import { type Random, trafficRandom } from '../random.ts'
import { carrierOf } from './carriers.ts'
import { createOfficer, type Officer, type OfficerAccount, StatusError } from './client.ts'
import { scaleFor } from './duty.ts'
import { declarationOf, staticAxles, unweighedOutcome, WITHDRAWALS, weighedOutcome } from './outcome.ts'

const TICK_MS = 10_000
/** After a failure, such as a changed password. */
const RETRY_MS = MINUTE_MS
/** Between announcements, and how long officers wait for an overloaded vehicle before they choose another heavy one. */
const ANNOUNCEMENT_INTERVAL_MS = [0.5 * MINUTE_MS, 2 * MINUTE_MS] as const
const MAX_WAIT_MS = 1 * MINUTE_MS
/** An announced vehicle still takes this long to the checkpoint, so that a person has time to take it over. */
const MIN_TIME_TO_CHECKPOINT_MS = MINUTE_MS
/** Shares of announced vehicles: that pass by, that are withdrawn, and that a person has time to take over. */
const PASSES_BY = 0.08
const WITHDRAWN = 0.04
const LEFT_TO_USER = 0.35
const CALLED_ON_SIGN = 0.4
const SHIFT_HOURS = 8

type Inspection = endpoints.Inspection

/** What an officer does next with an inspection, and who; null: nothing yet, or it is somebody else's. */
export type NextStep = 'withdraw' | 'takeOver' | 'closeUnweighed' | 'weigh' | 'close' | null

/**
 * The next step of an inspection of the simulated officers. It depends on the inspection and the time only, so that a
 * restart continues and a lost answer is sent again alike.
 */
export function nextStep(inspection: Inspection, officers: ReadonlySet<string>, now: Date): NextStep {
  const random = randomOf(inspection)
  const [isPassing, isWithdrawn] = [random.happens(PASSES_BY), random.happens(WITHDRAWN)]
  const isDue = (since: Date | null | undefined, from: number, to: number) =>
    since != null && now.getTime() >= since.getTime() + random.between(from, to) * MINUTE_MS
  const { state, announced, officer, wim, takenOverAt, weighed, reopened } = inspection
  if (state === 'announced') {
    if (isPassing || !wim || !officers.has(announced.by.username)) return null
    if (isWithdrawn) return isDue(announced.at, 1, 2) ? 'withdraw' : null
    const [from, to] = random.happens(LEFT_TO_USER) ? [9, 13] : [0.2, 2]
    return isDue(wim.checkpointTime, from, to) ? 'takeOver' : null
  }
  if (!officer || !officers.has(officer.username) || reopened) return null
  if (state === 'takenOver' && isDue(takenOverAt, 3, 8)) return unweighedOf(inspection) ? 'closeUnweighed' : 'weigh'
  return state === 'weighed' && isDue(weighed?.at, 2, 6) ? 'close' : null
}

const randomOf = ({ id }: Inspection): Random => trafficRandom(`officer:${id}`)

/** Why this vehicle is not weighed; null: it is. */
const unweighedOf = ({ id }: Inspection) => unweighedOutcome(trafficRandom(`unweighed:${id}`))

/** Sequence number of a station in a vehicle id (contract/src/ingest.ts). */
const sequenceOf = (vehicleId: number): number => vehicleId % 2 ** 40

/** The measured vehicle as it really is; undefined if no station of the simulator sent it. */
function detectionOf({ wim, location }: Inspection, sites: readonly SimulatedStation[]) {
  const site = sites.find((it) => it.location.id === location.id)
  const detection = site && wim ? detectionBySequence(site, sequenceOf(wim.id)) : undefined
  return detection?.at.getTime() === wim?.createdAt.getTime() ? detection : undefined
}

type Context = { sites: readonly SimulatedStation[]; scales: readonly Scale[]; now: Date }

/** Takes a step; `officer` is who announced it, or took it over. */
async function executeStep(step: NonNullable<NextStep>, inspection: Inspection, officer: Officer, context: Context) {
  const { id, version, wim, location } = inspection
  const random = trafficRandom(`officer:${id}:${step}`)
  const params = { id: String(id) }
  if (step === 'takeOver') return officer.call(endpoints.takeOver, { params, body: { version } })
  if (step === 'withdraw')
    return officer.call(endpoints.withdraw, { params, body: { version, reason: random.pick(WITHDRAWALS) } })
  const detection = detectionOf(inspection, context.sites)
  if (step === 'weigh') {
    const axleLoads = detection?.axleLoads ?? wim?.axles?.map(({ totalLoad }) => totalLoad)
    if (!axleLoads) return
    const scaleId = scaleFor(context.scales, location.id, context.now).id
    return officer.call(endpoints.weigh, {
      params,
      body: { version, scaleId, axles: staticAxles({ axleLoads }, random) },
    })
  }
  const unweighed = step === 'closeUnweighed' ? unweighedOf(inspection) : null
  const outcome = unweighed ?? weighedOutcome(inspection.static?.excesses ?? [], random)
  const declaration = declarationOf(outcome, random)
  const body = { version, ...outcome, ...knownCarrierOf(inspection, detection?.vehicle), declaration }
  return officer.call(endpoints.close, { params, body })
}

type OwnedVehicle = Parameters<typeof carrierOf>[0]

/** The carrier of a vehicle, known by its plate. */
function knownCarrierOf({ wim }: Inspection, vehicle: OwnedVehicle | undefined) {
  if (vehicle) return carrierOf(vehicle)
  const nationality = nationalities.find((it) => it === wim?.nationality)
  return wim?.plateLpr && nationality ? carrierOf({ plate: wim.plateLpr, nationality }) : {}
}

/** Whether a vehicle can still be announced in time. */
const isAnnounceable = ({ checkpointTime, inspection, plateLpr }: Vehicle, now: Date): boolean =>
  !inspection &&
  plateLpr !== null &&
  checkpointTime !== null &&
  checkpointTime.getTime() - now.getTime() > MIN_TIME_TO_CHECKPOINT_MS

async function announce(officer: Officer, { id, createdAt, location, overload }: Vehicle): Promise<void> {
  const callOnSign = trafficRandom(`sign:${id}`).happens(CALLED_ON_SIGN)
  const body = { locationId: location.id, vehicleId: id, createdAt: createdAt.toISOString(), callOnSign }
  const selection = overload ? 'preselected' : 'random'
  await officer.call(endpoints.add, {
    body: { ...body, state: 'announced', selection },
    idempotencyKey: `simulator-${id}`,
  })
}

/** A person was faster, or the inspection has ended meanwhile. */
function ignoreConflict(error: unknown): void {
  if (!(error instanceof StatusError && [409, 422].includes(error.status))) throw error
}

type Options = {
  url: string
  sites: readonly SimulatedStation[]
  scales: readonly Scale[]
  accounts: readonly OfficerAccount[]
  log: Log
  signal: AbortSignal
  /** How often officers look at the live list and at what they have to do. */
  tickMs?: number
  retryMs?: number
}

/**
 * Officers announce overloaded vehicles, take most of them over at the checkpoint, weigh and close them, over the HTTP
 * API only. They touch no inspection of another user.
 */
export async function runOfficers(options: Options): Promise<void> {
  const { url, sites, scales, accounts, log, signal, tickMs = TICK_MS, retryMs = RETRY_MS } = options
  const officers = accounts.map((account) => createOfficer(url, account, signal))
  const byName = new Map(officers.map((officer) => [officer.username, officer]))
  const names = new Set(byName.keys())
  if (officers.length === 0 || sites.length === 0) return
  log('officers are on duty', { officers: officers.length })
  const pauses = trafficRandom(`announcements:${Date.now()}`)
  let nextAnnouncement = Date.now()

  async function work(now: Date): Promise<void> {
    const hour = Math.floor(now.getTime() / HOUR_MS)
    const onDuty = officers[Math.floor(hour / SHIFT_HOURS) % officers.length] as Officer
    const { content: open } = await onDuty.call(endpoints.list, { query: { open: 'true', limit: '100' } })
    for (const inspection of open) {
      const step = nextStep(inspection, names, now)
      const officer = byName.get((inspection.officer ?? inspection.announced.by).username)
      if (!step || !officer) continue
      await executeStep(step, inspection, officer, { sites, scales, now }).catch(ignoreConflict)
    }
    // Looked at without a pause: one visit to the live list in a shift.
    const candidate = async (query: Record<string, string>) => {
      const { content } = await onDuty.call(liveList, { query })
      return content.find((it) => isAnnounceable(it, now))
    }
    const late = now.getTime() - nextAnnouncement
    const vehicle =
      (await candidate({ overload: 'true' })) ??
      (late > MAX_WAIT_MS ? await candidate({ minTotalLoad: '12000' }) : undefined)
    if (!vehicle || late < 0) return
    await announce(onDuty, vehicle).catch(ignoreConflict)
    nextAnnouncement = now.getTime() + pauses.between(...ANNOUNCEMENT_INTERVAL_MS)
  }

  for (let failures = 0; !signal.aborted; ) {
    try {
      await work(new Date())
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      failures++
      if (failures === 1)
        log('officers cannot work now', { why: error instanceof Error ? error.message : String(error) })
    }
    await pause(failures > 0 ? retryMs : tickMs, signal)
  }
}
