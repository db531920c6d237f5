/**
 * Rights by name. The permission numbers (ROLE_n) appear only in this file; all other code uses the names of rights.
 */
const RIGHTS = {
  CurrentMeasurements: ['ROLE_1'],
  ArchiveMeasurements: ['ROLE_2'],
  Vms: ['ROLE_3'],
  Stat: ['ROLE_4'],
  UsersAdmin: ['ROLE_7'],
  SelfPersonal: ['ROLE_10'],
  PasswordChange: ['ROLE_11'],
  SelfConfig: ['ROLE_10', 'ROLE_11'],
  WantedList: ['ROLE_12'],
  BlackList: ['ROLE_13'],
  Contacts: ['ROLE_14'],
  WhiteList: ['ROLE_15'],
  Roles: ['ROLE_19'],
  UserManagement: ['ROLE_19', 'ROLE_20'],
  Anonymization: ['ROLE_37'],
  Tickets: ['ROLE_38'],
  Inspections: ['ROLE_41'],
  InspectionReview: ['ROLE_42'],
  ScaleCertificates: ['ROLE_43'],
  PlateAccess: ['ROLE_44'],
  Exchange: ['ROLE_45'],
  Offenders: ['ROLE_46'],
  AlarmShelving: ['ROLE_47'],
  Admin: [
    'ROLE_7',
    'ROLE_8',
    'ROLE_12',
    'ROLE_13',
    'ROLE_14',
    'ROLE_15',
    'ROLE_17',
    'ROLE_19',
    'ROLE_20',
    'ROLE_22',
    'ROLE_27',
    'ROLE_33',
    'ROLE_34',
    'ROLE_38',
    'ROLE_42',
    'ROLE_43',
    'ROLE_44',
    'ROLE_45',
  ],
} as const

export type Right = keyof typeof RIGHTS

export const rights = Object.keys(RIGHTS) as Right[]

/** Permissions of which any one gives the right. */
export const permissionsOf = (right: Right): readonly string[] => RIGHTS[right]

/** Whether the permissions give the right; any one of its permissions is sufficient. */
export const hasRight = (permissions: readonly string[], right: Right): boolean =>
  RIGHTS[right].some((permission) => permissions.includes(permission))

/** Whether the permissions give at least one of the rights; true if none is required. */
export const hasAnyRight = (permissions: readonly string[], anyOf: readonly Right[]): boolean =>
  anyOf.length === 0 || anyOf.some((right) => hasRight(permissions, right))

/** The right of a permission: of those it gives, the one given by the fewest permissions. */
export const rightOf = (permission: string): Right | null =>
  rights
    .filter((right) => permissionsOf(right).includes(permission))
    .sort((a, b) => permissionsOf(a).length - permissionsOf(b).length)[0] ?? null

/** The permission that gives this right alone. */
export const permissionOf = (right: Right): string =>
  permissionsOf(right).find((permission) => rightOf(permission) === right) as string

/** The first permission of the same right; the permission itself if it has no known right. */
export const equivalentOf = (permission: string): string => {
  const right = rightOf(permission)
  if (!right) return permission
  return permissionsOf(right).find((other) => rightOf(other) === right) ?? permission
}

/** Number in a permission's name, used for sorting and display. */
export const permissionNumber = (permission: string): number => Number(permission.slice('ROLE_'.length))

/** Permissions of the administrator role: all that give a right, without restrictions. */
export const administratorPermissions: readonly string[] = [...new Set(rights.flatMap(permissionsOf))]
  .filter((permission) => !hasRight([permission], 'Anonymization'))
  .sort((a, b) => permissionNumber(a) - permissionNumber(b))
