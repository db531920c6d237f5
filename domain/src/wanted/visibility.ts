import { hasAnyRight, hasRight } from '@rogatka/contract/access.ts'
import type { WantedMark } from '@rogatka/contract/vehicle.ts'
import { BLACK, type TypeOfList, typesOfList } from '@rogatka/contract/wanted.ts'
import { maskPlateIn } from '../vehicle/anonymity.ts'

/** Who looks: a user with the permissions of their first role. */
type Viewer = { userId: number; permissions: readonly string[] }

/** What an entry of a list says of a passage. */
export type ListMark = { userId: number; typeOfList: TypeOfList; plate: string; description: string }

/** Whether these permissions open a list: the right to all of them, or the list's own. */
export const canUseList = (permissions: readonly string[], typeOfList: TypeOfList): boolean =>
  hasAnyRight(permissions, ['WantedList', typeOfList === BLACK ? 'BlackList' : 'WhiteList'])

/** Their own entries everybody sees; all others' too with UserManagement. */
export const canSeeEntries = (viewer: Viewer, userId: number): boolean =>
  viewer.userId === userId || hasRight(viewer.permissions, 'UserManagement')

/**
 * What the lists say of a vehicle to this viewer: that it is wanted if any entry says so, else that it is white-listed.
 * Undefined: nothing that concerns them.
 */
export function markFor(viewer: Viewer, marks: readonly ListMark[]): WantedMark | undefined {
  const seen = marks.filter(
    ({ userId, typeOfList }) => canSeeEntries(viewer, userId) && canUseList(viewer.permissions, typeOfList),
  )
  const typeOfList = typesOfList.find((type) => seen.some((mark) => mark.typeOfList === type))
  if (typeOfList === undefined) return undefined
  const anonymous = hasRight(viewer.permissions, 'Anonymization')
  const said = seen
    .filter((mark) => mark.typeOfList === typeOfList)
    .map(({ description, plate }) => (anonymous ? maskPlateIn(description, plate) : description))
  return { typeOfList, description: [...new Set(said)].join(' · ') }
}
