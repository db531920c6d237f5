import polishLimits from '@rogatka/domain/vehicle/limits-pl.json' with { type: 'json' }
import type { Database } from '../core/database.ts'
import { json, sql } from '../core/statement.ts'

/** From this day the document that comes with the product holds; an authority adds later ones beside it. */
const VALID_FROM = '2000-01-01'

/** Puts the legal limits that come with the product into the database, once; what stands there stays. */
export const seedLegalLimits = (db: Database) =>
  db.execute(sql`
  insert into legal_limits (location_id, valid_from, limits, source)
  values (0, ${VALID_FROM}, ${json(polishLimits)}, ${polishLimits.source})
  on conflict do nothing`)
