import { DEVICE_TOKEN_PREFIX } from '@rogatka/contract/devices.ts'
import { devicePermissions } from '@rogatka/domain/devices/grants.ts'
import { newToken } from '../core/sessions.ts'
import type { TokenKind } from '../core/token-sessions.ts'
import { type DeviceRow, deviceQueries } from './queries.ts'

/** A new token: 256 random bits. */
export const newDeviceToken = (): string => DEVICE_TOKEN_PREFIX + newToken()

/** User ids of devices are even negative numbers, those of systems odd ones. */
const userIdOf = (id: number) => -2 * id

/** Requests of a device, as a session with the permissions for what it shows. */
export const deviceTokens: TokenKind<DeviceRow> = {
  name: 'devices',
  prefix: DEVICE_TOKEN_PREFIX,
  channel: deviceQueries.channel,
  findByHash: deviceQueries.findByHash,
  touch: deviceQueries.touch,
  userIdOf,
  sessionOf: (row) => ({
    userId: userIdOf(row.id),
    username: row.name,
    permissions: devicePermissions(row),
    createdAt: row.renewedAt,
    device: {
      id: row.id,
      name: row.name,
      locationIds: row.locationIds,
      columns: row.columns,
      anonymised: row.anonymised,
      wanted: row.wanted,
    },
  }),
}
