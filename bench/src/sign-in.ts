import type { Pool } from '@rogatka/api/core/database.ts'
import { insertSession } from '@rogatka/api/core/session-queries.ts'
import { hashToken, newToken } from '@rogatka/api/core/sessions.ts'
import { sql } from '@rogatka/api/core/statement.ts'

/** The token of a new administrator. */
export async function signIn(db: Pool, now = new Date()): Promise<string> {
  const token = newToken()
  const [user] = await db.query<{ id: number }>(sql`
    insert into app_user (username, password_hash, password_updated_at) values (${token}, '', ${now}::timestamptz) returning id`)
  const userId = user?.id as number
  await db.execute(sql`insert into user_role (user_id, role_id) values (${userId}, 8)`)
  const client = { ip: '127.0.0.1', userAgent: null, factor: 'authenticator' } as const
  const session = { tokenHash: hashToken(token), userId, ...client }
  await insertSession(db, session, now)
  return token
}
