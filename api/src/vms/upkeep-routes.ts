import * as endpoints from '@rogatka/contract/vms-upkeep.ts'
import { editorOf } from '../core/editor.ts'
import { type Api, route } from '../core/route.ts'
import {
  addContent,
  addGroup,
  addSign,
  changeContent,
  changeGroup,
  changeSign,
  listGroups,
  removeContent,
  removeGroup,
  removeSign,
} from './upkeep.ts'
import { selectContents } from './upkeep-queries.ts'

/** Registers the upkeep of groups, signs and contents. */
export function signUpkeepRoutes(api: Api): void {
  const { db } = api

  route(api, endpoints.signGroups, ({ db }) => listGroups(db))

  route(api, endpoints.addSignGroup, (call) => db.transaction((db) => addGroup(db, editorOf(call), call.body)))

  route(api, endpoints.changeSignGroup, (call) => {
    const { version, ...values } = call.body
    return db.transaction((db) => changeGroup(db, editorOf(call), call.params.id, values, version))
  })

  route(api, endpoints.removeSignGroup, (call) =>
    db.transaction((db) => removeGroup(db, editorOf(call), call.params.id)),
  )

  route(api, endpoints.addSign, async (call) => {
    const { group } = await db.transaction((db) => addSign(db, editorOf(call), call.params.id, call.body))
    return group
  })

  route(api, endpoints.changeSign, (call) => {
    const { version, ...values } = call.body
    return db.transaction((db) => changeSign(db, editorOf(call), call.params.id, values, version))
  })

  route(api, endpoints.removeSign, (call) => db.transaction((db) => removeSign(db, editorOf(call), call.params.id)))

  route(api, endpoints.signContents, ({ db }) => selectContents(db))

  route(api, endpoints.addSignContent, (call) => db.transaction((db) => addContent(db, editorOf(call), call.body)))

  route(api, endpoints.changeSignContent, (call) => {
    const { version, ...values } = call.body
    return db.transaction((db) => changeContent(db, editorOf(call), call.params.id, values, version))
  })

  route(api, endpoints.removeSignContent, (call) =>
    db.transaction((db) => removeContent(db, editorOf(call), call.params.id)),
  )
}
