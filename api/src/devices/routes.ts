import type { Device } from '@rogatka/contract/devices.ts'
import * as endpoints from '@rogatka/contract/devices.ts'
import { dateOf } from '@rogatka/domain/core/warsaw.ts'
import { canManageDevice, deviceError } from '@rogatka/domain/devices/grants.ts'
import type { z } from 'zod'
import type { Database } from '../core/database.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, route } from '../core/route.ts'
import { createHolders, tokenFieldsOf } from '../core/token-holders.ts'
import type { TokenSessions } from '../core/token-sessions.ts'
import { requireLocations } from '../locations/public-api.ts'
import { type Caller, changeAccounts } from '../roles/public-api.ts'
import { newDeviceToken } from './device-sessions.ts'
import { type DeviceRow, type DeviceValues, deviceQueries } from './queries.ts'

const toDevice = (row: DeviceRow, { permissions }: Pick<Caller, 'permissions'>, now: Date): Device => {
  const { id, name, remark, locationIds, columns, anonymised, wanted, validUntil } = row
  const manageable = canManageDevice(permissions, row)
  return {
    id,
    name,
    remark,
    locationIds,
    columns,
    anonymised,
    wanted,
    validUntil,
    ...tokenFieldsOf(row, now),
    manageable,
  }
}

/** The fields of a device kept in the audit log. */
const auditedFields = ({ name, remark, locationIds, columns, anonymised, wanted, validUntil }: DeviceValues) => ({
  name,
  description: remark,
  locations: locationIds,
  columns,
  anonymised,
  wanted,
  validUntil,
})

/** Refuses a device that shows more than the caller may see. */
function checkRights(caller: Caller, shown: Pick<DeviceValues, 'anonymised' | 'wanted'>): void {
  const error = deviceError(caller.permissions, shown)
  if (error) throw new Refusal(error, 403, error === 'anonymization-stays' ? 'anonymised' : 'wanted')
}

/** Refuses values that contradict each other, unknown stations and days that have passed. */
async function checkValues(db: Database, body: z.output<typeof endpoints.add.body>, now: Date): Promise<DeviceValues> {
  const { remark, validUntil, locationIds, ...values } = body
  if (values.wanted && values.anonymised) throw new Refusal('device-hits-anonymised', 422, 'wanted')
  if (validUntil && validUntil < dateOf(now)) throw new Refusal('expiry-in-the-past', 422, 'validUntil')
  return {
    ...values,
    remark: remark || null,
    validUntil: validUntil ?? null,
    locationIds: await requireLocations(db, locationIds),
  }
}

/** Registers the routes of wall screens. Rights to them: domain/devices/grants.ts. */
export function devicesRoutes(api: Api, sessions: TokenSessions): void {
  const devices = createHolders({
    noun: 'device',
    queries: deviceQueries,
    sessions,
    runChange: (session, work) => changeAccounts(api, session, ['UsersAdmin'], work, []),
    ...{ toWire: toDevice, checkRights, checkValues, auditedFields },
  })
  route(api, endpoints.list, devices.list)
  route(api, endpoints.readSelf, ({ session: { device } }) => device)
  route(api, endpoints.read, devices.read)
  route(api, endpoints.add, async (call) => {
    const token = newDeviceToken()
    return { device: await devices.add(call, token), token }
  })
  route(api, endpoints.change, (call) => {
    const { version, ...body } = call.body
    return devices.change(call, body, version)
  })
  route(api, endpoints.renew, async (call) => {
    const token = newDeviceToken()
    return { device: await devices.renew(call, token), token }
  })
  route(api, endpoints.revoke, devices.revoke)
}
