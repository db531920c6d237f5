import type { Database } from '../core/database.ts'
import { sql } from '../core/statement.ts'

type OwnData = { firstName: string; lastName: string; email: string; phoneNumber: string }

/** Changes a user's own account data; whoever edits the same user meanwhile is told by the version. */
export const updateSelf = (db: Database, userId: number, { firstName, lastName, email, phoneNumber }: OwnData) =>
  db.execute(sql`
  update app_user
  set first_name = ${firstName}, last_name = ${lastName}, email = ${email}, phone_number = ${phoneNumber},
      version = version + 1
  where id = ${userId}`)

export const saveSettings = (db: Database, userId: number, settings: { checkpointAdditionalTime: number }) =>
  db.execute(sql`
  update app_user set checkpoint_additional_time = ${settings.checkpointAdditionalTime} where id = ${userId}`)
