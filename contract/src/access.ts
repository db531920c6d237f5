/**
 * Rights by name. The permission numbers (ROLE_n) appear only in this file;
 * everywhere else a right is called by its name.
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
  ],
} as const

export type Right = keyof typeof RIGHTS

export const rights = Object.keys(RIGHTS) as Right[]

/** The permissions of which any one gives the right. */
export const permissionsOf = (right: Right): readonly string[] => RIGHTS[right]

/** Whether a holder of these permissions has the right: any one of its permissions suffices. */
export const hasRight = (permissions: readonly string[], right: Right): boolean =>
  RIGHTS[right].some((permission) => permissions.includes(permission))

/** Whether a holder of these permissions has at least one of the rights; no right asked for is open to all. */
export const hasAnyRight = (permissions: readonly string[], anyOf: readonly Right[]): boolean =>
  anyOf.length === 0 || anyOf.some((right) => hasRight(permissions, right))

/** The right that a permission stands for by itself: of those that it gives, the one that fewest permissions give. */
export const rightOf = (permission: string): Right | null =>
  rights
    .filter((right) => permissionsOf(right).includes(permission))
    .sort((a, b) => permissionsOf(a).length - permissionsOf(b).length)[0] ?? null

/** The first permission that stands for the same right; the permission itself if no right is known for it. */
export const equivalentOf = (permission: string): string => {
  const right = rightOf(permission)
  if (!right) return permission
  return permissionsOf(right).find((other) => rightOf(other) === right) ?? permission
}

/** The number in a permission's name, by which permissions are sorted and known to administrators. */
export const permissionNumber = (permission: string): number => Number(permission.slice('ROLE_'.length))

/** The permissions of the role of administrators: every one that gives something, and no restriction. */
export const administratorPermissions: readonly string[] = [...new Set(rights.flatMap(permissionsOf))]
  .filter((permission) => !hasRight([permission], 'Anonymization'))
  .sort((a, b) => permissionNumber(a) - permissionNumber(b))
