import { exportMonth } from '@rogatka/contract/archive.ts'
import { audit } from '../core/audit.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, route } from '../core/route.ts'
import { seesLocation } from '../core/station-scope.ts'
import { vehicleLocations } from '../locations/public-api.ts'
import type { SendFile } from '../reports/public-api.ts'
import { monthAt } from './months.ts'
import { exportOfMonth } from './report-parquet.ts'

/** Registers the export of a month for programs, audited as a report. */
export function archiveExportRoutes(api: Api, sendFile: SendFile): void {
  route(api, exportMonth, async (call) => {
    const { db, readDb, now, query, session, request } = call
    const { locationId } = query
    if (!seesLocation(session, locationId)) throw new Refusal('forbidden', 403, 'locationId')
    if (!(await vehicleLocations(db)).some(({ id }) => id === locationId))
      throw new Refusal('location-not-found', 404, 'locationId')
    const { from, to } = monthAt(Date.parse(query.month))
    const month = { locationId, from: new Date(from), to: new Date(to) }
    const criteria = { locations: [locationId], dateTimeStart: month.from, dateTimeEnd: month.to }
    const after = { reportType: 'parquet', ...criteria }
    await audit(db, { session, request, now }, { action: 'report-ordered', subject: 'archive-export', after })
    await sendFile(call, 'archive-export', async () => exportOfMonth(readDb, month, session))
  })
}
