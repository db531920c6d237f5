import * as archive from '@rogatka/contract/archive.ts'
import { audit } from '../core/audit.ts'
import { disconnectSignal } from '../core/disconnect.ts'
import { type Api, route } from '../core/route.ts'
import { createRecordedSearches } from './recorded-searches.ts'
import { search } from './search.ts'

/** Opens the search of the archive. Who searched for which plate is in the audit log, once per session and filter. */
export function archiveRoutes(api: Api): void {
  const recordOnce = createRecordedSearches()
  route(api, archive.search, async ({ db, now, query, session, request, reply }) => {
    const found = await search(db, query, session, disconnectSignal(reply))
    const { plateLpr, similarity, dateTimeStart, dateTimeEnd, locations } = query
    if (plateLpr) {
      // Every page tells how many vehicles there are.
      const filter = Object.entries(query).filter(([name]) => !/^(page|limit|order)/.test(name))
      const after = { plateLpr, similarity, dateTimeStart, dateTimeEnd, locations, totalCount: found.totalCount }
      await recordOnce(session.key, filter, async () => {
        await audit(db, { session, request, now }, { action: 'plate-searched', subject: 'archive-list', after })
      })
    }
    return found
  })
}
