import type { Device } from '@rogatka/contract/devices.ts'
import * as endpoints from '@rogatka/contract/devices.ts'
import { tokenState } from '@rogatka/domain/core/tokenState.ts'
import { dateOf } from '@rogatka/domain/core/warsaw.ts'
import { canManageDevice, deviceError } from '@rogatka/domain/devices/grants.ts'
import type { z } from 'zod'
import { audit, type NewAuditEntry } from '../core/audit.ts'
import type { Database } from '../core/database.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, route } from '../core/route.ts'
import { hashToken, type Session } from '../core/sessions.ts'
import type { TokenSessions } from '../core/token-sessions.ts'
import { requireLocations } from '../locations/public-api.ts'
import { type Caller, changeAccounts } from '../roles/public-api.ts'
import { newDeviceToken } from './device-sessions.ts'
import {
  type DeviceRow,
  type DeviceValues,
  deviceById,
  devices,
  insertDevice,
  lockDevice,
  notifyDeviceChange,
  setRevoked,
  setToken,
  updateDevice,
} from './queries.ts'

const toDevice = (row: DeviceRow, caller: Pick<Caller, 'permissions'>, now: Date): Device => ({
  id: row.id,
  name: row.name,
  remark: row.remark,
  locationIds: row.locationIds,
  columns: row.columns,
  anonymised: row.anonymised,
  wanted: row.wanted,
  validUntil: row.validUntil,
  state: tokenState(row, now),
  created: { at: row.createdAt, by: row.createdBy },
  renewedAt: row.renewedAt,
  lastSeenAt: row.lastSeenAt,
  revoked: row.revokedAt && row.revokedBy !== null ? { at: row.revokedAt, by: row.revokedBy } : null,
  manageable: canManageDevice(caller.permissions, row),
  version: row.version,
})

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

function requireDevice(row: DeviceRow | undefined): DeviceRow {
  if (!row) throw new Refusal('device-not-found', 404)
  return row
}

/** Refuses a device that shows more than the caller may see. */
function checkRights(caller: Caller, shown: Pick<DeviceRow, 'anonymised' | 'wanted'>): void {
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

/** A locked device that may still be changed, by a caller who may see all that it shows. */
async function lockManageable(db: Database, caller: Caller, id: number): Promise<DeviceRow> {
  const before = requireDevice(await lockDevice(db, id))
  checkRights(caller, before)
  if (before.revokedAt) throw new Refusal('device-revoked', 409)
  return before
}

/** Registers the routes of wall screens. Rights to them: domain/devices/grants.ts. */
export function devicesRoutes(api: Api, sessions: TokenSessions): void {
  route(api, endpoints.list, async ({ db, now, session }) =>
    (await devices(db)).map((row) => toDevice(row, session, now)),
  )

  route(api, endpoints.readSelf, ({ session: { device } }) => device)

  route(api, endpoints.read, async ({ db, now, session, params }) =>
    toDevice(requireDevice(await deviceById(db, params.id)), session, now),
  )

  route(api, endpoints.add, async ({ now, session, body, request }) => {
    const token = newDeviceToken()
    return changeAccounts(
      api,
      session,
      ['UsersAdmin'],
      async (db, caller) => {
        checkRights(caller, body)
        const values = await checkValues(db, body, now)
        const device = { ...values, tokenHash: hashToken(token), createdBy: session.username }
        const added = requireDevice(await deviceById(db, await insertDevice(db, device, now)))
        const entry: NewAuditEntry = { action: 'device-added', subject: added.name, after: auditedFields(added) }
        await audit(db, { session, request, now }, entry)
        return { device: toDevice(added, caller, now), token }
      },
      [],
    )
  })

  type Changing = { session: Session; params: { id: number }; now: Date }

  /** Changes a device in a transaction, after which all processes look it up again. */
  async function changeDevice(
    { session, params, now }: Changing,
    apply: (db: Database, caller: Caller) => Promise<unknown>,
  ): Promise<Device> {
    const changed = await changeAccounts(
      api,
      session,
      ['UsersAdmin'],
      async (db, caller) => {
        await apply(db, caller)
        await notifyDeviceChange(db, params.id)
        return toDevice(requireDevice(await deviceById(db, params.id)), caller, now)
      },
      [],
    )
    sessions.clearHolder(params.id)
    return changed
  }

  route(api, endpoints.change, (call) => {
    const { now, body } = call
    const { version, ...shown } = body
    return changeDevice(call, async (db, caller) => {
      const before = await lockManageable(db, caller, call.params.id)
      checkRights(caller, shown)
      if (version !== undefined && version !== before.version) throw new Refusal('changed-meanwhile', 409)
      const values = await checkValues(db, shown, now)
      await updateDevice(db, before.id, values)
      const [was, is] = [auditedFields(before), auditedFields(values)]
      await audit(db, call, { action: 'device-changed', subject: values.name, before: was, after: is })
    })
  })

  route(api, endpoints.renew, async (call) => {
    const token = newDeviceToken()
    const device = await changeDevice(call, async (db, caller) => {
      const { id, name } = await lockManageable(db, caller, call.params.id)
      await setToken(db, id, hashToken(token), call.now)
      await audit(db, call, { action: 'device-renewed', subject: name })
    })
    return { device, token }
  })

  route(api, endpoints.revoke, (call) =>
    changeDevice(call, async (db) => {
      // Whoever administers users may end what they may not see.
      const before = requireDevice(await lockDevice(db, call.params.id))
      if (before.revokedAt) throw new Refusal('device-revoked', 409)
      await setRevoked(db, before.id, call.session.username, call.now)
      await audit(db, call, { action: 'device-revoked', subject: before.name, before: auditedFields(before) })
    }),
  )
}
