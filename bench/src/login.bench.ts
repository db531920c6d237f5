import { createApp } from '@rogatka/api/app.ts'
import { readConfig } from '@rogatka/api/config.ts'
import { hashPassword } from '@rogatka/api/core/passwords.ts'
import { sql } from '@rogatka/api/core/statement.ts'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { login } from '@rogatka/contract/session.ts'
import type { Comparison, Contender } from './bench.ts'
import { benchDatabase } from './database.ts'

const ROUNDS = 60
const ATTEMPTS_PER_ROUND = 8
const USERS = (ROUNDS + 1) * ATTEMPTS_PER_ROUND

export const bench: Comparison = {
  summary:
    'Refused logins: whether their time reveals that a user exists. Ratios near 1 do not. Left out: sockets, TLS, a proxy, and several logins at the same time',
  unit: 'logins',
  rounds: ROUNDS,
  async prepare() {
    const { db, url, drop } = await benchDatabase()
    const app = await createApp({ ...readConfig({ DATABASE_URL: url, LOG_LEVEL: 'silent' }), demo: false }, db)
    const passwordHash = await hashPassword('Szlaban-2026-noc')
    for (const [kind, enabled] of [
      ['known', true],
      ['disabled', false],
    ] as const)
      await db.execute(sql`
        insert into app_user (username, password_hash, password_updated_at, enabled)
        select ${`${kind}-`}::text || n, ${passwordHash}, now(), ${enabled}::boolean from generate_series(1, ${USERS}) as n`)
    await db.execute(sql`vacuum analyze app_user`)

    let attempts = 0
    /** Each attempt is the first of its user and of its address, so that no lock-out replaces the password check. */
    const attempt = async (username: string) => {
      attempts += 1
      const remoteAddress = `10.${attempts >> 16}.${(attempts >> 8) & 255}.${attempts & 255}`
      const payload = { username, password: 'not-the-password' }
      const response = await app.api.http.inject({ method: 'POST', url: API_BASE + login.path, remoteAddress, payload })
      if (response.statusCode !== 401) throw new Error(`${username}: ${response.statusCode}`)
    }
    const refusedLogin = (name: string, prefix: string): Contender => {
      let done = 0
      return {
        name,
        run: async () => {
          for (let i = 0; i < ATTEMPTS_PER_ROUND; i++) await attempt(`${prefix}-${++done}`)
          return ATTEMPTS_PER_ROUND
        },
      }
    }
    return {
      contenders: [
        refusedLogin('existing user, wrong password', 'known'),
        refusedLogin('unknown user', 'unknown'),
        refusedLogin('disabled user', 'disabled'),
      ],
      clear: async () => {
        await app.close()
        await drop()
      },
    }
  },
}
