import type { Scale } from '@rogatka/contract/certificates.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { HOUR_MS, MINUTE_MS } from '@rogatka/domain/core/time.ts'
import type { PastInspection } from '@rogatka/domain/inspections/pastInspection.ts'
import { type Detection, detectionsBetween, type SimulatedStation } from '../detection.ts'
import { isHeavy } from '../kinds.ts'
import { type Random, trafficRandom } from '../random.ts'
import { dayOf } from '../warsaw.ts'
import { carrierOf } from './carriers.ts'
import { type DerivedDetection, derivedOf, excessesOfWeighing, overloadOf } from './detected.ts'
import { type Duty, dutiesOf, scaleFor } from './duty.ts'
import { declarationOf, staticAxles, unweighedOutcome, WITHDRAWALS, weighedOutcome } from './outcome.ts'

/** Share of preselected vehicles; of the others some are stopped to check the scales, the rest at random. */
const PRESELECTED = 0.65
const REFERENCE = 0.45
/** How long an officer waits for an overloaded vehicle before one is stopped at random. */
const MAX_WAIT_MS = HOUR_MS
/** Shares of announced vehicles. */
const PASSES_BY = 0.09
const WITHDRAWN = 0.04
/** After it passed the checkpoint, an announced vehicle is recorded as passed by. */
const PASSES_AFTER_MS = 15 * MINUTE_MS

/** A heavy vehicle on a scale, which reaches the checkpoint. */
type Candidate = { detection: Detection; derived: DerivedDetection; checkpointAt: number }

function* candidatesOf({ site, from, to }: Duty): Generator<Candidate> {
  for (const detection of detectionsBetween(site, from, to)) {
    if (!isHeavy(detection.vehicle.form.kind) || detection.overlane || detection.wrongDirection) continue
    const derived = derivedOf(detection, site)
    const { checkpointTime, accuracyClass, plateLpr, ctg8p1 } = derived
    if (checkpointTime && accuracyClass && plateLpr && ctg8p1 !== 0)
      yield { detection, derived, checkpointAt: checkpointTime.getTime() }
  }
}

const iso = (at: number): string => new Date(at).toISOString()

const minutes = (random: Random, from: number, to: number): number => Math.round(random.between(from, to) * MINUTE_MS)

const NO_DETAILS = {
  takenOverAt: null,
  weighedAt: null,
  weighing: null,
  results: [],
  fineAmount: null,
  carrier: null,
  taxId: null,
  declaration: null,
  reason: null,
}

/** The inspection of a vehicle. */
function inspectionOf(
  { detection, derived, checkpointAt }: Candidate,
  { site, officer }: Duty,
  selection: PastInspection['selection'],
  scales: readonly Scale[],
): PastInspection {
  const { id } = site.location
  const random = trafficRandom(`inspection:${id}:${detection.sequence}`)
  const isAnnounced = selection === 'preselected'
  const announcedAt = isAnnounced
    ? Math.min(checkpointAt, detection.at.getTime() + minutes(random, 0.3, 1.5))
    : checkpointAt
  const opened = {
    locationId: id,
    vehicleId: vehicleId(id, detection.sequence),
    createdAt: detection.at.toISOString(),
    selection,
    isAnnounced,
    officer,
    announcedAt: iso(announcedAt),
  }
  if (isAnnounced && random.happens(PASSES_BY))
    return { ...opened, ...NO_DETAILS, state: 'passedBy', endedAt: iso(checkpointAt + PASSES_AFTER_MS) }
  if (isAnnounced && random.happens(WITHDRAWN)) {
    const endedAt = iso(announcedAt + minutes(random, 1, 3))
    return { ...opened, ...NO_DETAILS, state: 'withdrawn', endedAt, reason: random.pick(WITHDRAWALS) }
  }
  const takenOverAt = isAnnounced ? checkpointAt + minutes(random, 0.2, 2) : checkpointAt
  const weighedAt = takenOverAt + minutes(random, 6, 14)
  const endedAt = weighedAt + minutes(random, 4, 14)
  const scale = scaleFor(scales, id, new Date(weighedAt))
  const unweighed = unweighedOutcome(random)
  const axles = staticAxles(detection, random)
  const outcome = unweighed ?? weighedOutcome(excessesOfWeighing(derived, axles, scale.accuracyPercent), random)
  return {
    ...opened,
    state: 'closed',
    takenOverAt: iso(takenOverAt),
    weighedAt: unweighed ? null : iso(weighedAt),
    endedAt: iso(endedAt),
    weighing: unweighed ? null : { scaleId: scale.id, axles },
    ...outcome,
    ...carrierOf(detection.vehicle),
    declaration: declarationOf(outcome, random),
    reason: null,
  }
}

/** The inspections of one officer at one station, one after another. */
function inspectionsOf(duty: Duty, until: Date, scales: readonly Scale[]): PastInspection[] {
  const random = trafficRandom(`duty:${duty.site.location.id}:${duty.from.getTime()}`)
  const candidates = [...candidatesOf(duty)]
  const done: PastInspection[] = []
  for (let free = duty.from.getTime() + minutes(random, 5, 25); ; ) {
    const arriving = candidates.filter(({ checkpointAt }) => checkpointAt >= free)
    const flagged = arriving.find(
      ({ derived, checkpointAt }) => overloadOf(derived) > 0 && checkpointAt < free + MAX_WAIT_MS,
    )
    const isPreselected = flagged !== undefined && random.happens(PRESELECTED)
    // Scales are checked with vehicles that have axle groups.
    const isReference = !isPreselected && random.happens(REFERENCE)
    const withGroups = isReference ? arriving.find(({ derived }) => derived.axles.length >= 4) : undefined
    const chosen = isPreselected ? flagged : (withGroups ?? arriving[0])
    if (!chosen) return done
    const selection = isPreselected ? 'preselected' : isReference ? 'reference' : 'random'
    const inspection = inspectionOf(chosen, duty, selection, scales)
    const endedAt = Date.parse(inspection.endedAt)
    if (endedAt > Math.min(until.getTime(), duty.to.getTime())) return done
    done.push(inspection)
    free = endedAt + minutes(random, 5, 45)
  }
}

/**
 * The inspections of all officers between two instants, oldest first. They depend only on stations, calibrations and
 * scales: vehicles have the loads that they really have, so that the difference to the measurement is that of the lane.
 */
export function* pastInspections(
  sites: readonly SimulatedStation[],
  { officers, scales }: { officers: readonly string[]; scales: readonly Scale[] },
  from: Date,
  until: Date,
): Generator<PastInspection[]> {
  for (let day = dayOf(from); day <= dayOf(until); day++)
    for (const duty of dutiesOf(day, sites, officers))
      if (duty.from >= from && duty.from < until) yield inspectionsOf(duty, until, scales)
}
