import * as archive from '@rogatka/contract/archive.ts'
import { audit } from '../core/audit.ts'
import { disconnectSignal } from '../core/disconnect.ts'
import { type Api, route } from '../core/route.ts'
import type { ImageAddresses } from '../vehicle/public-api.ts'
import { createRecordedSearches } from './recorded-searches.ts'
import { search } from './search.ts'

/** Registers the archive search. Searches by plate are audited once per session and filter. */
export function archiveRoutes(api: Api, addresses: ImageAddresses): void {
  const recordOnce = createRecordedSearches()
  route(api, archive.search, async ({ db, now, query, session, request, reply }) => {
    const found = await search(db, query, session, addresses, disconnectSignal(reply))
    const { plateLpr, plates, similarity, dateTimeStart, dateTimeEnd, locations } = query
    if (plateLpr || plates?.length) {
      // Without paging and order, as every page has the same total.
      const filter = Object.entries(query).filter(([name]) => !/^(page|limit|order)/.test(name))
      const after = {
        plateLpr,
        plates,
        similarity,
        dateTimeStart,
        dateTimeEnd,
        locations,
        totalCount: found.totalCount,
      }
      await recordOnce(session.key, filter, async () => {
        await audit(db, { session, request, now }, { action: 'plate-searched', subject: 'archive-list', after })
      })
    }
    return found
  })
}
