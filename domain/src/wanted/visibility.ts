import { hasAnyRight, hasRight } from '@rogatka/contract/access.ts'
import { BLACK, type TypeOfList, typesOfList } from '@rogatka/contract/options.ts'
import type { WantedMark } from '@rogatka/contract/vehicle.ts'
import { maskPlateIn } from '../vehicle/anonymity.ts'

/** Viewer with the permissions of their first role. */
type Viewer = { userId: number; permissions: readonly string[] }

/** List entry that matches a vehicle. */
export type ListMark = { userId: number; typeOfList: TypeOfList; plate: string; description: string }

/** Whether the permissions give access to a list: by the right to all lists, or to this one. */
export const canUseList = (permissions: readonly string[], typeOfList: TypeOfList): boolean =>
  hasAnyRight(permissions, ['WantedList', typeOfList === BLACK ? 'BlackList' : 'WhiteList'])

/** Users see their own entries; with UserManagement those of all users. */
export const canSeeEntries = (viewer: Viewer, userId: number): boolean =>
  viewer.userId === userId || hasRight(viewer.permissions, 'UserManagement')

/**
 * List mark of a vehicle for this viewer: wanted if any visible entry is, else white-listed. Undefined without a
 * visible entry.
 */
export function markFor(viewer: Viewer, marks: readonly ListMark[]): WantedMark | undefined {
  const visible = marks.filter(
    ({ userId, typeOfList }) => canSeeEntries(viewer, userId) && canUseList(viewer.permissions, typeOfList),
  )
  const typeOfList = typesOfList.find((type) => visible.some((mark) => mark.typeOfList === type))
  if (typeOfList === undefined) return undefined
  const anonymous = hasRight(viewer.permissions, 'Anonymization')
  const descriptions = visible
    .filter((mark) => mark.typeOfList === typeOfList)
    .map(({ description, plate }) => (anonymous ? maskPlateIn(description, plate) : description))
  return { typeOfList, description: [...new Set(descriptions)].join(' · ') }
}
