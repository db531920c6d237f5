import type { System } from '@rogatka/contract/systems.ts'
import * as endpoints from '@rogatka/contract/systems.ts'
import { dateOf } from '@rogatka/domain/core/warsaw.ts'
import { canManageSystem, systemError } from '@rogatka/domain/systems/grants.ts'
import type { z } from 'zod'
import type { Database } from '../core/database.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, route } from '../core/route.ts'
import { createHolders, tokenFieldsOf } from '../core/token-holders.ts'
import type { TokenSessions } from '../core/token-sessions.ts'
import { requireLocations } from '../locations/public-api.ts'
import { type Caller, changeAccounts } from '../roles/public-api.ts'
import { type SystemRow, type SystemValues, systemQueries } from './queries.ts'
import { newSystemKey } from './system-sessions.ts'

type Body = z.output<typeof endpoints.add.body>

const toSystem = (row: SystemRow, { permissions }: Pick<Caller, 'permissions'>, now: Date): System => {
  const { id, name, remark, locationIds, rights, plates, validUntil } = row
  const manageable = canManageSystem(permissions, row)
  return { id, name, remark, locationIds, rights, plates, validUntil, ...tokenFieldsOf(row, now), manageable }
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

/** Refuses a system that reads more than the caller. */
function checkRights({ permissions }: Caller, readable: Pick<SystemValues, 'rights' | 'plates'>): void {
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

/** Registers the routes of systems with an exchange key. Rights to them: domain/systems/grants.ts. */
export function systemsRoutes(api: Api, sessions: TokenSessions): void {
  const systems = createHolders({
    noun: 'system',
    queries: systemQueries,
    sessions,
    runChange: (session, work) => changeAccounts(api, session, ['Exchange'], work, []),
    ...{ toWire: toSystem, checkRights, checkValues, auditedFields },
  })
  route(api, endpoints.list, systems.list)
  route(api, endpoints.readSelf, ({ session: { system } }) => system)
  route(api, endpoints.read, systems.read)
  route(api, endpoints.add, async (call) => {
    const key = newSystemKey()
    return { system: await systems.add(call, key), key }
  })
  route(api, endpoints.change, (call) => {
    const { version, ...body } = call.body
    return systems.change(call, body, version)
  })
  route(api, endpoints.renew, async (call) => {
    const key = newSystemKey()
    return { system: await systems.renew(call, key), key }
  })
  route(api, endpoints.revoke, systems.revoke)
}
