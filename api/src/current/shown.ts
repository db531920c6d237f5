import { MAX_ADDITIONAL_SECONDS } from '@rogatka/contract/current.ts'
import { createMatch } from '@rogatka/domain/current/match.ts'
import { fromBits } from '@rogatka/domain/vehicle/violations.ts'
import type { Pool } from '../core/database.ts'
import { shownOf } from '../core/look.ts'
import type { LivePlates } from '../core/trail-visit-lines.ts'
import { type ShownRow, vehiclesShown } from './queries.ts'

/** Counts the vehicles that a live list has shown. */
export const createLivePlates =
  (db: Pool): LivePlates =>
  async (locationIds, filters, range) => {
    const plates: (string | null)[] = []
    const matches = createMatch(filters)
    const maxAdditionalMs = MAX_ADDITIONAL_SECONDS * 1_000
    for await (const rows of vehiclesShown(db, locationIds, range, maxAdditionalMs))
      for (const row of rows) if (matches(toMatchable(row))) plates.push(row.plateLpr)
    return { results: plates.length, shown: shownOf(plates) }
  }

/** Overloads are stored in tenths of a percent. */
const percent = (tenths: number | null) => (tenths === null ? null : tenths / 10)

const toMatchable = ({ locationId, laneNumber, violations, ...row }: ShownRow) => ({
  ...row,
  ...fromBits(violations),
  location: { id: locationId },
  lane: { laneNumber },
  ctg8p1: row.ctg8p1 || null,
  overloadSA: percent(row.overloadSA),
  overloadMA: percent(row.overloadMA),
  overloadTL: percent(row.overloadTL),
})
