import * as archive from '@rogatka/contract/archive.ts'
import type { LookKind } from '@rogatka/contract/looks.ts'
import type { Vehicle } from '@rogatka/contract/vehicle.ts'
import { normalisePlate } from '@rogatka/domain/vehicle/plate.ts'
import { isAnonymised } from '../core/anonymity.ts'
import { disconnectSignal } from '../core/disconnect.ts'
import { type Look, questionOf, shownOf } from '../core/look.ts'
import { refusePlatesInAddress } from '../core/plate-searches.ts'
import { requirePurpose } from '../core/purpose.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, type Call, route } from '../core/route.ts'
import { withinStations } from '../core/station-scope.ts'
import { findArchived, type ImageAddresses, type ListedPlates, vehicleByKey } from '../vehicle/public-api.ts'
import { platesFor } from './found-plates.ts'
import { historyOf } from './history.ts'
import { createRecordedBeginnings } from './recorded-beginnings.ts'
import { archiveFiltersOf, savedSearchRoutes } from './saved-searches.ts'
import { search } from './search.ts'

type Page = { content: Vehicle[]; totalCount: number }

/** A look at a page of vehicles and their images. */
const lookAtPage = (kind: LookKind, { content, totalCount }: Page): Look => ({
  kind,
  results: totalCount,
  shown: shownOf(content.map(({ plateLpr }) => plateLpr)),
  withImagesOf: content,
})

/** Registers the archive search, the history of a plate, and plates by their beginning. */
export function archiveRoutes(api: Api, addresses: ImageAddresses, listed: ListedPlates): void {
  savedSearchRoutes(api)
  route(api, archive.search, async (call) => {
    const { readDb, session, reply, look } = call
    const query = withinStations(session, await archiveFiltersOf(api, call))
    if (query.plateLpr || query.plates?.length) await requirePurpose(api, session)
    const found = await search(readDb, query, session, addresses, disconnectSignal(reply))
    if (!isAnonymised(session)) listed.add(found.content)
    await look({ ...lookAtPage('list', found), ...questionOf({ params: {}, query }) })
    return found
  })

  const recordedBeginning = createRecordedBeginnings()
  type Lookup = Pick<Call<typeof archive.findPlates>, 'readDb' | 'now' | 'session' | 'reply' | 'look'>
  const find = async ({ readDb, now, session, reply, look }: Lookup, text: string) => {
    if (isAnonymised(session)) throw new Refusal('plates-are-anonymised', 403)
    const beginning = normalisePlate(text) ?? ''
    if (beginning.length < archive.BEGINNING_LENGTH) {
      await look(null)
      return { content: [] }
    }
    await requirePurpose(api, session)
    const found = await platesFor(readDb, session, beginning, now, disconnectSignal(reply))
    const plates = found.content.map(({ plateLpr }) => plateLpr)
    const recorded = recordedBeginning({ sessionKey: session.key, beginning, plates, now })
    await look({
      kind: 'plates',
      // Of one sequence of keys.
      criteria: { startedAt: recorded.startedAt },
      asked: [`${recorded.text}*`],
      results: plates.length,
      shown: shownOf(plates),
    })
    return found
  }
  route(api, archive.findPlates, (call) => find(call, call.body.beginning))
  route(api, archive.plates, (call) => {
    refusePlatesInAddress(api.config, call.query, ['beginning'])
    return find(call, call.query.beginning)
  })

  route(api, archive.history, async ({ readDb: db, now, params, query, session, reply, look }) => {
    if (isAnonymised(session)) throw new Refusal('plates-are-anonymised', 403)
    await requirePurpose(api, session)
    const key = await findArchived(db, { id: params.id, ...query }, now)
    const vehicle = key && (await vehicleByKey(db, key))
    if (!vehicle) throw new Refusal('vehicle-not-found', 404)
    const found = await historyOf(db, vehicle, query, { session, addresses, now, signal: disconnectSignal(reply) })
    listed.add(found.content)
    await look({ ...lookAtPage('history', found), asked: vehicle.plateLpr === null ? [] : [vehicle.plateLpr] })
    return found
  })
}
