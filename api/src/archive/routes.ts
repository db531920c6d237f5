import * as archive from '@rogatka/contract/archive.ts'
import { normalisePlate } from '@rogatka/domain/vehicle/plate.ts'
import { isAnonymised } from '../core/anonymity.ts'
import { audit } from '../core/audit.ts'
import { disconnectSignal } from '../core/disconnect.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, route } from '../core/route.ts'
import { withinStations } from '../core/station-scope.ts'
import { findArchived, type ImageAddresses, vehicleByKey } from '../vehicle/public-api.ts'
import { foundSince, platesFor } from './found-plates.ts'
import { historyOf } from './history.ts'
import { createRecordedBeginnings } from './recorded-beginnings.ts'
import { createRecordedSearches, recordingKey } from './recorded-searches.ts'
import { search } from './search.ts'

/**
 * Registers the archive search, the history of a plate, both audited once per session (of a system: per day), plate and filter, and plates by
 * their beginning.
 */
export function archiveRoutes(api: Api, addresses: ImageAddresses): void {
  const recordOnce = createRecordedSearches()
  route(api, archive.search, async ({ db, now, query: asked, session, request, reply }) => {
    const query = withinStations(session, asked)
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
      await recordOnce(recordingKey(session, now), filter, async () => {
        await audit(db, { session, request, now }, { action: 'plate-searched', subject: 'archive-list', after })
      })
    }
    return found
  })

  const recordBeginning = createRecordedBeginnings()
  route(api, archive.plates, async ({ db, now, query, session, request, reply }) => {
    if (isAnonymised(session)) throw new Refusal('plates-are-anonymised', 403)
    const beginning = normalisePlate(query.beginning) ?? ''
    if (beginning.length < archive.BEGINNING_LENGTH) return { content: [] }
    const found = await platesFor(db, session, beginning, now, disconnectSignal(reply))
    const lookup = { sessionKey: session.key, beginning, plates: found.content.map(({ plateLpr }) => plateLpr), now }
    await recordBeginning(lookup, async () => {
      const after = { plateLpr: `${beginning}*`, dateTimeStart: foundSince(now) }
      await audit(db, { session, request, now }, { action: 'plate-searched', subject: 'quick-search', after })
    })
    return found
  })

  route(api, archive.history, async ({ db, now, params, query, session, request, reply }) => {
    if (isAnonymised(session)) throw new Refusal('plates-are-anonymised', 403)
    const key = await findArchived(db, { id: params.id, ...query }, now)
    const vehicle = key && (await vehicleByKey(db, key))
    if (!vehicle) throw new Refusal('vehicle-not-found', 404)
    const found = await historyOf(db, vehicle, query, { session, addresses, now, signal: disconnectSignal(reply) })
    const { plateLpr } = vehicle
    if (plateLpr !== null) {
      const after = { plateLpr, dateTimeStart: found.from, totalCount: found.totalCount }
      await recordOnce(recordingKey(session, now), [plateLpr, query.days], async () => {
        await audit(db, { session, request, now }, { action: 'plate-searched', subject: 'plate-history', after })
      })
    }
    return found
  })
}
