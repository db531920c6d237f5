import * as endpoints from '@rogatka/contract/locations-upkeep.ts'
import { editorOf } from '../core/editor.ts'
import { type Api, route } from '../core/route.ts'
import {
  addKey,
  addStation,
  changeStation,
  closeStation,
  listKeys,
  listStations,
  reopenStation,
  revokeKey,
} from './upkeep.ts'

/** Registers the upkeep of stations and their keys. */
export function stationsRoutes(api: Api): void {
  const { db } = api

  route(api, endpoints.stations, ({ db, now }) => listStations(db, now))

  route(api, endpoints.addStation, (call) => db.transaction((db) => addStation(db, editorOf(call), call.body)))

  route(api, endpoints.changeStation, (call) => {
    const { version, ...values } = call.body
    return db.transaction((db) => changeStation(db, editorOf(call), call.params.id, values, version))
  })

  route(api, endpoints.closeStation, (call) =>
    db.transaction((db) => closeStation(db, editorOf(call), call.params.id, call.body.reason)),
  )

  route(api, endpoints.reopenStation, (call) =>
    db.transaction((db) => reopenStation(db, editorOf(call), call.params.id)),
  )

  route(api, endpoints.stationKeys, ({ db, now, params }) => listKeys(db, params.id, now))

  route(api, endpoints.addStationKey, (call) =>
    db.transaction((db) => addKey(db, editorOf(call), call.params.id, call.body.validUntil ?? null)),
  )

  route(api, endpoints.revokeStationKey, (call) =>
    db.transaction((db) => revokeKey(db, editorOf(call), call.params.id, call.params.keyId, call.body.reason)),
  )
}
