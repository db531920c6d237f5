import { randomBytes } from 'node:crypto'
import { permissionsOf, type Right } from '@rogatka/contract/access.ts'
import { sortPermissions } from '@rogatka/domain/users/grants.ts'
import type { Database, Pool } from '../core/database.ts'
import { hashPassword } from '../core/passwords.ts'
import { insertRole, lockAccounts, roles, setRole } from '../roles/public-api.ts'
import { accountByUsername, setPassword } from './credential-queries.ts'
import { insertUser, userById } from './queries.ts'

const OFFICER_RIGHTS: Right[] = [
  'CurrentMeasurements',
  'ArchiveMeasurements',
  'Vms',
  'SelfConfig',
  'Inspections',
  'Offenders',
]

const ROLES: { name: string; description: string; rights: Right[] }[] = [
  { name: 'Inspektor', description: 'Kontrole pojazdów na stanowisku ważenia', rights: OFFICER_RIGHTS },
  {
    name: 'Naczelnik kontroli',
    description: 'Nadzór nad kontrolami, skuteczność, świadectwa wag',
    rights: [...OFFICER_RIGHTS, 'Stat', 'InspectionReview', 'ScaleCertificates'],
  },
]

const [OFFICER, REVIEWER] = ROLES.map(({ name }) => name) as [string, string]

const ACCOUNTS: { username: string; firstName: string; lastName: string; role: string }[] = [
  { username: 'inspektor.lipa', firstName: 'Agata', lastName: 'Lipa', role: OFFICER },
  { username: 'inspektor.dab', firstName: 'Marek', lastName: 'Dąb', role: OFFICER },
  { username: 'inspektor.sowa', firstName: 'Teresa', lastName: 'Sowa', role: OFFICER },
  { username: 'naczelnik.brzoza', firstName: 'Piotr', lastName: 'Brzoza', role: REVIEWER },
]

export type DemoOfficer = { userId: number; username: string; password: string }

/** Description that marks the accounts of the demo. */
const DEMO_ACCOUNT = 'Konto demonstracyjne'

/**
 * Creates the accounts of officers with their roles; an account of somebody else keeps its name. Returns those who
 * inspect, with random passwords that are new at each start and known to the simulator only.
 */
export async function ensureDemoOfficers(db: Pool, now: Date): Promise<DemoOfficer[]> {
  const officers: DemoOfficer[] = []
  for (const { role, ...account } of ACCOUNTS) {
    const { username } = account
    const password = randomBytes(18).toString('base64url')
    const passwordHash = await hashPassword(password)
    const isOfficer = role === OFFICER
    const userId = await db.transaction(async (db) => {
      await lockAccounts(db)
      const existing = await accountByUsername(db, username)
      if (!existing) {
        const id = await insertUser(db, { ...account, email: null, description: DEMO_ACCOUNT, passwordHash }, now)
        await setRole(db, id, await roleId(db, role))
        return id
      }
      if ((await userById(db, existing.id))?.description !== DEMO_ACCOUNT) return undefined
      if (isOfficer) await setPassword(db, existing.id, passwordHash, now)
      return existing.id
    })
    if (isOfficer && userId !== undefined) officers.push({ userId, username, password })
  }
  return officers
}

/** The id of a role of the demo, which is created if there is none of that name. */
async function roleId(db: Database, name: string): Promise<number> {
  const found = (await roles(db, { name, orderBy: 'name', descending: false, limit: null, offset: 0 })).find(
    (role) => role.name === name,
  )
  if (found) return found.id
  const { description, rights } = ROLES.find((role) => role.name === name) as (typeof ROLES)[number]
  const permissions = sortPermissions(rights.flatMap(permissionsOf))
  return insertRole(db, { name, description, permissions, requiredFactor: 'none' })
}
