import type { System } from '@rogatka/contract/systems.ts'
import * as endpoints from '@rogatka/contract/systems.ts'
import { tokenState } from '@rogatka/domain/core/tokenState.ts'
import { dateOf } from '@rogatka/domain/core/warsaw.ts'
import { canManageSystem, systemError } from '@rogatka/domain/systems/grants.ts'
import type { z } from 'zod'
import { audit } from '../core/audit.ts'
import type { Database } from '../core/database.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, type Call, route } from '../core/route.ts'
import { hashToken } from '../core/sessions.ts'
import type { TokenSessions } from '../core/token-sessions.ts'
import { requireLocations } from '../locations/public-api.ts'
import { type Caller, changeAccounts } from '../roles/public-api.ts'
import {
  insertSystem,
  lockSystem,
  notifySystemChange,
  type SystemRow,
  type SystemValues,
  setKey,
  setRevoked,
  systemById,
  systems,
  updateSystem,
} from './queries.ts'
import { newSystemKey } from './system-sessions.ts'

type Body = z.output<typeof endpoints.add.body>
type ById = Pick<Call<typeof endpoints.revoke>, 'session' | 'params' | 'now'>

const toSystem = (row: SystemRow, { permissions }: Pick<Caller, 'permissions'>, now: Date): System => {
  const { createdAt, createdBy, revokedAt, revokedBy, ...rest } = row
  return {
    ...rest,
    state: tokenState(row, now),
    created: { at: createdAt, by: createdBy },
    revoked: revokedAt && revokedBy !== null ? { at: revokedAt, by: revokedBy } : null,
    manageable: canManageSystem(permissions, row),
  }
}

/** The fields of a system kept in the audit log. */
const auditedFields = ({ name, remark, locationIds, rights, plates, validUntil }: SystemValues) => ({
  name,
  description: remark,
  locations: locationIds,
  rights,
  withPlates: plates,
  validUntil,
})

const found = (row: SystemRow | undefined): SystemRow => {
  if (row) return row
  throw new Refusal('system-not-found', 404)
}

/** Refuses a system that reads more than the caller. */
function checkRights({ permissions }: Caller, readable: Pick<SystemRow, 'rights' | 'plates'>): void {
  const error = systemError(permissions, readable)
  if (error) throw new Refusal(error, 403, error === 'anonymization-stays' ? 'plates' : 'rights')
}

/** Refuses unknown stations and days that have passed. */
async function checkValues(db: Database, { remark, ...body }: Body, now: Date): Promise<SystemValues> {
  if (body.validUntil < dateOf(now)) throw new Refusal('expiry-in-the-past', 422, 'validUntil')
  return {
    ...body,
    remark: remark || null,
    rights: endpoints.systemRights.filter((right) => body.rights.includes(right)),
    locationIds: await requireLocations(db, body.locationIds),
  }
}

/** A locked system that may still be changed, by a caller who may read all that it reads. */
async function lockManageable(db: Database, caller: Caller, id: number): Promise<SystemRow> {
  const before = await lockUnrevoked(db, id)
  checkRights(caller, before)
  return before
}

/** Locks a system that was not revoked. */
async function lockUnrevoked(db: Database, id: number): Promise<SystemRow> {
  const row = found(await lockSystem(db, id))
  if (row.revokedAt) throw new Refusal('system-revoked', 409)
  return row
}

/** Registers the routes of systems with an exchange key. Rights to them: domain/systems/grants.ts. */
export function systemsRoutes(api: Api, sessions: TokenSessions): void {
  route(api, endpoints.list, async ({ db, now, session }) =>
    (await systems(db)).map((row) => toSystem(row, session, now)),
  )

  route(api, endpoints.readSelf, ({ session: { system } }) => system)

  route(api, endpoints.read, async ({ db, now, session, params }) =>
    toSystem(found(await systemById(db, params.id)), session, now),
  )

  route(api, endpoints.add, (call) => {
    const { now, session, body } = call
    const key = newSystemKey()
    const work = async (db: Database, caller: Caller) => {
      checkRights(caller, body)
      const values = await checkValues(db, body, now)
      const id = await insertSystem(db, { ...values, keyHash: hashToken(key), createdBy: session.username }, now)
      await audit(db, call, { action: 'system-added', subject: values.name, after: auditedFields(values) })
      return { system: toSystem(found(await systemById(db, id)), caller, now), key }
    }
    return changeAccounts(api, session, ['Exchange'], work, [])
  })

  /** Changes a system in a transaction, after which all processes look it up again. */
  async function changeSystem(
    { session, params, now }: ById,
    apply: (db: Database, caller: Caller, id: number) => Promise<unknown>,
  ): Promise<System> {
    const { id } = params
    const work = async (db: Database, caller: Caller) => {
      await apply(db, caller, id)
      await notifySystemChange(db, id)
      return toSystem(found(await systemById(db, id)), caller, now)
    }
    const changed = await changeAccounts(api, session, ['Exchange'], work, [])
    sessions.clearHolder(id)
    return changed
  }

  route(api, endpoints.change, (call) => {
    const { version, ...readable } = call.body
    return changeSystem(call, async (db, caller, id) => {
      const before = await lockManageable(db, caller, id)
      checkRights(caller, readable)
      if (version !== undefined && version !== before.version) throw new Refusal('changed-meanwhile', 409)
      const values = await checkValues(db, readable, call.now)
      await updateSystem(db, id, values)
      const changes = { before: auditedFields(before), after: auditedFields(values) }
      await audit(db, call, { action: 'system-changed', subject: values.name, ...changes })
    })
  })

  route(api, endpoints.renew, async (call) => {
    const key = newSystemKey()
    const system = await changeSystem(call, async (db, caller, id) => {
      const { name } = await lockManageable(db, caller, id)
      await setKey(db, id, hashToken(key), call.now)
      await audit(db, call, { action: 'system-renewed', subject: name })
    })
    return { system, key }
  })

  route(api, endpoints.revoke, (call) =>
    changeSystem(call, async (db, _caller, id) => {
      // Whoever manages systems may end what they may not read.
      const before = await lockUnrevoked(db, id)
      await setRevoked(db, id, call.session.username, call.now)
      await audit(db, call, { action: 'system-revoked', subject: before.name, before: auditedFields(before) })
    }),
  )
}
