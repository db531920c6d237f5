import type { Sql } from '../core/database.ts'

type OwnData = { firstName: string; lastName: string; email: string; phoneNumber: string }

/** Changes a user's own account data; whoever edits the same user meanwhile is told by the version. */
export const updateSelf = (sql: Sql, userId: number, { firstName, lastName, email, phoneNumber }: OwnData) => sql`
  update app_user
  set first_name = ${firstName}, last_name = ${lastName}, email = ${email}, phone_number = ${phoneNumber},
      version = version + 1
  where id = ${userId}`

export const saveSettings = (sql: Sql, userId: number, settings: { checkpointAdditionalTime: number }) => sql`
  update app_user set checkpoint_additional_time = ${settings.checkpointAdditionalTime} where id = ${userId}`
