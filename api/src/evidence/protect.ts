import { connect, type Pool } from '../core/database.ts'
import { type Account, findAccount, listExcessRights, protect, release, sealedPartitions } from './protect-queries.ts'

/**
 * Restricts the account of `db` to reading and adding sealed rows, and returns a message about it. Idempotent.
 * `adminUrl`: the same database with an account of its administrator.
 * @throws if the account may change it nevertheless, as a superuser may
 */
export const protectDatabase = (db: Pool, adminUrl: string | undefined): Promise<string> =>
  asAdmin(db, adminUrl, async (admin, portal) => {
    if (portal.isSuperuser)
      throw new Error(`The account ${portal.name} of DATABASE_URL is a superuser: create one for the portal alone`)
    await admin.transaction(async (db) => {
      const partitions = await sealedPartitions(db)
      for (const statement of protect(portal, partitions)) await db.execute(statement)
      const [excess] = await listExcessRights(db, portal.name, partitions)
      if (excess)
        throw new Error(`The account ${portal.name} of DATABASE_URL could still change sealed rows: ${excess.excess}`)
    })
    return `${portal.name} may read and add what is sealed in ${portal.database}, and change none of it`
  })

/** Gives the portal's account the sealed tables, as before `protectDatabase`, and returns what was done. */
export const releaseDatabase = (db: Pool, adminUrl: string | undefined): Promise<string> =>
  asAdmin(db, adminUrl, async (admin, portal) => {
    await admin.transaction(async (db) => {
      for (const statement of release(portal, await sealedPartitions(db))) await db.execute(statement)
    })
    return `${portal.name} owns what is sealed in ${portal.database}: protect it again after the upgrade`
  })

async function asAdmin<T>(
  db: Pool,
  adminUrl: string | undefined,
  work: (admin: Pool, portal: Account) => Promise<T>,
): Promise<T> {
  if (!adminUrl)
    throw new Error(
      'Set DATABASE_ADMIN_URL to the database of DATABASE_URL, with an account that administers the server',
    )
  const admin = connect(adminUrl, 1)
  try {
    const [portal, other] = [await findAccount(db), await findAccount(admin)]
    if (portal.database !== other.database || portal.since.getTime() !== other.since.getTime())
      throw new Error('DATABASE_ADMIN_URL is another database than DATABASE_URL')
    if (portal.name === other.name) throw new Error('DATABASE_ADMIN_URL needs another account than DATABASE_URL')
    return await work(admin, portal)
  } finally {
    await admin.end(1_000)
  }
}
