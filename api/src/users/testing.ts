/** Permissions of an administrator. */
export const ADMINISTRATOR = [
  'ROLE_1',
  'ROLE_2',
  'ROLE_3',
  'ROLE_4',
  'ROLE_7',
  'ROLE_10',
  'ROLE_11',
  'ROLE_19',
  'ROLE_20',
]

/** Ids of roles. */
export const OPERATOR = 1
export const ANALYST = 2

/** Body of a user with a role. */
export const person = (username: string, roleId: number) => ({
  username,
  firstName: 'Maria',
  lastName: 'Zawadzka',
  email: 'maria@example.org',
  phoneNumber: '600 100 200',
  roles: [roleId],
})
