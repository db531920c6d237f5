import * as archive from '@rogatka/contract/archive.ts'
import { type Api, route } from '../core/route.ts'
import { search } from './search.ts'

/** Opens the search of the archive. */
export function archiveRoutes(api: Api): void {
  route(api, archive.search, ({ sql, query, session }) => search(sql, query, session))
}
