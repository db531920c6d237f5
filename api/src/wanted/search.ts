import type { EntryState } from '@rogatka/contract/options.ts'
import { type TypeOfList, typesOfList } from '@rogatka/contract/options.ts'
import type { WantedPlate } from '@rogatka/contract/wanted.ts'
import { maskPlate, maskPlateIn } from '@rogatka/domain/vehicle/anonymity.ts'
import { canUseList } from '@rogatka/domain/wanted/visibility.ts'
import { isAnonymised } from '../core/anonymity.ts'
import { Refusal } from '../core/refusal.ts'
import type { Session } from '../core/sessions.ts'
import { allowedOwner } from './owner.ts'

/** The entry, with the plate masked, also in the description, if the session is anonymised. */
export const maskFor = <P extends Pick<WantedPlate, 'plateLpr' | 'description'>>(session: Session, plate: P): P =>
  isAnonymised(session)
    ? { ...plate, plateLpr: maskPlate(plate.plateLpr), description: maskPlateIn(plate.description, plate.plateLpr) }
    : plate

export function assertListAllowed(session: Session, typeOfList: TypeOfList): void {
  if (!canUseList(session.permissions, typeOfList)) throw new Refusal('forbidden', 403, 'typeOfList')
}

type SearchQuery = {
  typesOfLists?: TypeOfList[] | undefined
  userId?: number | undefined
  search?: string | undefined
  state?: EntryState | undefined
}

/**
 * The search of a session, limited to what it may see. Anonymised users cannot search by text, which would reveal
 * masked plates.
 */
export function toPlateSearch(session: Session, { typesOfLists, userId, search, state }: SearchQuery, now: Date) {
  const types = typesOfLists?.length
    ? typesOfLists
    : typesOfList.filter((type) => canUseList(session.permissions, type))
  for (const type of types) assertListAllowed(session, type)
  if (search && isAnonymised(session)) throw new Refusal('plates-are-anonymised', 403, 'search')
  return { types, userId: allowedOwner(session, userId), search, state, now }
}
