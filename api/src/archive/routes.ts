import * as archive from '@rogatka/contract/archive.ts'
import { audit } from '../core/audit.ts'
import { disconnectSignal } from '../core/disconnect.ts'
import { type Api, route } from '../core/route.ts'
import { search } from './search.ts'

/** Opens the search of the archive. Who looked for which plate is in the audit log, once a search: at its first page. */
export function archiveRoutes(api: Api): void {
  route(api, archive.search, async ({ sql, now, query, session, request, reply }) => {
    const found = await search(sql, query, session, disconnectSignal(reply))
    const { plateLpr, similarity, dateTimeStart, dateTimeEnd, locations, page = 1 } = query
    if (plateLpr && page === 1) {
      const after = { plateLpr, similarity, dateTimeStart, dateTimeEnd, locations, totalCount: found.totalCount }
      await audit(sql, { session, request, now }, { action: 'plate-searched', subject: 'archive-list', after })
    }
    return found
  })
}
