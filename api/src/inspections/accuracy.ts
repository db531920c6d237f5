import type { ValueOf } from '@rogatka/contract/endpoint.ts'
import type { accuracy } from '@rogatka/contract/inspections-figures.ts'
import type { AccuracyClass, Location } from '@rogatka/contract/locations.ts'
import type { Selection } from '@rogatka/contract/options.ts'
import { laneId } from '@rogatka/contract/options.ts'
import { certificateAt } from '@rogatka/domain/certificates/validity.ts'
import { endedOn, expiryOf } from '@rogatka/domain/certificates/warnings.ts'
import {
  confidenceWithin,
  type Environment,
  evaluateAccuracy,
  isWorse,
} from '@rogatka/domain/inspections/accuracyClass.ts'
import { type Exclusion, environmentOfDays, exclusions } from '@rogatka/domain/inspections/accuracyPairs.ts'
import {
  type Criterion,
  criteria,
  type DifferenceSummary,
  NO_DIFFERENCES,
  summariseDifferences,
} from '@rogatka/domain/inspections/differences.ts'
import { tolerances } from '@rogatka/domain/vehicle/tolerance.ts'
import { selectCertificates } from '../certificates/public-api.ts'
import type { Database } from '../core/database.ts'
import { type LaneDifferences, laneDifferences, type Scope } from './figures-queries.ts'

type Lane = ValueOf<typeof accuracy, 'response'>['lanes'][number]

/** Differences by criterion, of one or more lanes. */
export function summaryOf(rows: readonly LaneDifferences[]): Record<Criterion, DifferenceSummary> {
  const entries = criteria.map((criterion, index) => {
    const sums = rows
      .filter((row) => row.criterion === index + 1)
      .reduce(
        (a, b) => ({
          n: a.n + b.n,
          sum: a.sum + b.sum,
          squares: a.squares + b.squares,
          within5: a.within5 + b.within5,
          within10: a.within10 + b.within10,
        }),
        NO_DIFFERENCES,
      )
    return [criterion, summariseDifferences(sums)] as const
  })
  return Object.fromEntries(entries) as Record<Criterion, DifferenceSummary>
}

/** Static loads left out, by reason. */
export const leftOutOf = (rows: readonly LaneDifferences[]) =>
  Object.fromEntries(exclusions.map((reason) => [reason, rows.reduce((sum, row) => sum + row[reason], 0)])) as Record<
    Exclusion,
    number
  >

function environmentOf([row]: readonly LaneDifferences[]): Environment | null {
  const { months, days, first, last } = row ?? {}
  return months && days && first && last ? environmentOfDays({ months, days, first, last }) : null
}

type Request = { scope: Scope; stations: readonly Location[]; chosen: readonly Selection[]; now: Date }

/** The class earned by each lane that has a scale or pairs; lanes with trouble first, then by name. */
export async function accuracyOfLanes(db: Database, { scope, stations, chosen, now }: Request): Promise<Lane[]> {
  const rows = Map.groupBy(await laneDifferences(db, scope, chosen), (row) => laneId(row.locationId, row.laneNumber))
  const certificates = Map.groupBy(await selectCertificates(db), ({ lane }) => lane.id)
  const lanes = stations.flatMap(({ id: locationId, shortName, lanes }) =>
    lanes.flatMap(({ laneNumber, accuracyClass }): Lane[] => {
      const id = laneId(locationId, laneNumber)
      const laneRows = rows.get(id) ?? []
      if (scope.lanes && !scope.lanes.includes(id)) return []
      if (accuracyClass === null && laneRows.length === 0) return []
      const laneCertificates = certificates.get(id) ?? []
      const certificate = certificateAt(laneCertificates, now)
      const { warning, ...expiry } = expiryOf(laneCertificates, now)
      return [
        {
          location: { id: locationId, shortName },
          lane: { id, laneNumber },
          ...evaluate(laneRows, accuracyClass?.name ?? null),
          leftOut: leftOutOf(laneRows),
          certificate: certificate && { number: certificate.number, validUntil: certificate.validUntil },
          expiry: {
            ...expiry,
            warning: warning?.level ?? null,
            endedOn: warning?.level === 'ended' ? endedOn(laneCertificates, now) : null,
          },
        },
      ]
    }),
  )
  return lanes.toSorted(
    (a, b) =>
      troubleOf(a) - troubleOf(b) || compareText(a.location.shortName, b.location.shortName) || a.lane.id - b.lane.id,
  )
}

const compareText = new Intl.Collator('pl', { numeric: true }).compare

/** Order of attention: a class worse than configured, an ended certificate, one that ends soon, none of them. */
function troubleOf({ isWorse, expiry: { warning } }: Lane): number {
  if (isWorse) return 0
  if (warning === 'ended') return 1
  return warning === null ? 3 : 2
}

function evaluate(rows: readonly LaneDifferences[], configured: AccuracyClass | null) {
  const summary = summaryOf(rows)
  const environment = environmentOf(rows)
  const result = evaluateAccuracy(summary, {
    plan: 'R2',
    environment: environment ?? 'I',
    verification: 'inService',
  })
  const withConfidence = criteria.map((criterion) => {
    const { n, mean, s } = summary[criterion]
    const evaluated = result.criteria[criterion]
    const confidence =
      evaluated && configured && mean !== null && s !== null
        ? confidenceWithin(tolerances[configured][criterion], { n, mean, s })
        : null
    const { required = null, smallestTolerance = null, earned = null } = evaluated ?? {}
    return [criterion, { ...summary[criterion], confidence, required, smallestTolerance, earned }] as const
  })
  return {
    configured,
    earned: result.earned,
    isWorse: result.earned !== null && configured !== null && isWorse(result.earned, configured),
    environment,
    criteria: Object.fromEntries(withConfidence) as Lane['criteria'],
  }
}
