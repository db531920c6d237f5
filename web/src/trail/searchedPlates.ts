import { searchTrail } from '@rogatka/contract/trail.ts'
import { call } from '../core/call.ts'
import { session } from '../core/session.ts'

/** Plates by the ids of their searches, in memory only: the browser stores addresses. */
let plates = new Map<string, string>()
session.subscribe(() => {
  if (session.get().token === null) plates = new Map()
})

/** The plate of a search; undefined: of an earlier visit to this tab, which only the server knows. */
export const plateOf = (searchId: string | undefined): string | undefined =>
  searchId === undefined ? undefined : plates.get(searchId)

/** The id of a search by plate. @throws as `call` */
export async function searchPlate(plate: string): Promise<string> {
  const { searchId } = await call(searchTrail, { body: { plateLpr: plate } })
  plates.set(searchId, plate)
  return searchId
}
