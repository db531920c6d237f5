import { SYSTEM_KEY_PREFIX } from '@rogatka/contract/systems.ts'
import { systemPermissions } from '@rogatka/domain/systems/grants.ts'
import { newToken } from '../core/sessions.ts'
import type { TokenKind } from '../core/token-sessions.ts'
import { type SystemRow, systemQueries } from './queries.ts'

/** A new exchange key: 256 random bits. */
export const newSystemKey = (): string => SYSTEM_KEY_PREFIX + newToken()

/** User ids of systems are odd, those of devices even. */
const userIdOf = (id: number) => -2 * id - 1

/** Requests of a system, as a session with the permissions of its rights. */
export const systemTokens: TokenKind<SystemRow> = {
  name: 'systems',
  prefix: SYSTEM_KEY_PREFIX,
  channel: systemQueries.channel,
  findByHash: systemQueries.findByHash,
  touch: systemQueries.touch,
  userIdOf,
  sessionOf: (row) => ({
    userId: userIdOf(row.id),
    username: row.name,
    permissions: systemPermissions(row),
    createdAt: row.renewedAt,
    system: {
      id: row.id,
      name: row.name,
      locationIds: row.locationIds,
      rights: row.rights,
      plates: row.plates,
      validUntil: row.validUntil,
    },
  }),
}
