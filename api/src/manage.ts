import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type ErrorCode, errorCodes } from '@rogatka/contract/errors.ts'
import { generatePassword } from '@rogatka/domain/session/password.ts'
import { z } from 'zod'
import { verifyDays } from './archive/derived/maintenance.ts'
import { verifyCounts } from './archive/verify.ts'
import { type Config, readConfig } from './config.ts'
import { auditWithoutSession } from './core/audit.ts'
import { connect, type Pool } from './core/database.ts'
import { DEFAULT_SHARDS, distribute } from './core/distribution.ts'
import { attachEmbedded } from './core/embedded.ts'
import { toApiErrors, toRefusal } from './core/error-mapping.ts'
import { assertMigrated } from './core/migrate.ts'
import { settleUnsent } from './core/outbox.ts'
import { listPartitions } from './core/partitions.ts'
import { checkNewPassword, hashPassword } from './core/passwords.ts'
import { readSecret } from './core/read-secret.ts'
import { Refusal } from './core/refusal.ts'
import { closeSessionsOf } from './core/session-queries.ts'
import { takeNewEvents } from './core/webhook-events.ts'
import { evidenceCommands, evidenceOptions, verifyWithoutDatabase } from './evidence/manage.ts'
import { importCommandOptions, importCommands } from './imports/manage.ts'
import { verifyFigures } from './inspections/figures-verify.ts'
import { stationCommands, stationOptions } from './locations/manage.ts'
import { locations, notifyDemoLane } from './locations/queries.ts'
import { deriveOffenders } from './offenders/derive.ts'
import { verifyOffenders } from './offenders/verify.ts'
import { verifyQuarters } from './overview/derive.ts'
import { rotateFactorSecrets } from './session/factor-secrets.ts'
import { deleteStoredIdTokens } from './session/provider-logout.ts'
import { verifyDistributions } from './statistics/distribution-verify.ts'
import { verifyDerived } from './statistics/verify.ts'
import { rotateSecrets } from './tickets/account-queries.ts'
import { restoreAdministrator } from './users/administrator.ts'
import { accountByUsername, deleteResetTokens, setPassword } from './users/credential-queries.ts'
import { deleteFactors } from './users/factor-queries.ts'
import { userById } from './users/queries.ts'
import { renewImageKey } from './vehicle/image-key-queries.ts'
import { preparePartitions } from './vehicle/maintenance.ts'
import { verifyRollUp } from './vehicle/verify.ts'
import { signCommands, signOptions } from './vms/manage.ts'
import { settleDeliveries } from './webhooks/delivery-queries.ts'
import { rotateWebhookSecrets } from './webhooks/secrets.ts'

/* `npm run manage -- …`: administration without a screen. */

const USAGE = `npm run manage -- <command>
  station list
  station add --id 12 --short-name "S8 Radzymin" --name "Radzymin" --road S8 --chainage 12+300 --direction Warszawa
              --lanes "B+(7),B+(7),-" [--speed-limit 120] [--speed-limit-heavy 80] [--to-sign 1200] [--to-checkpoint 5400]
              [--latitude 52.3421 --longitude 21.1873]
              a lane without a scale is "-"; the key of the new station is printed once
  station key --id 12 [--until 2027-06-30]      creates a new key and revokes earlier ones
  station keys --id 12       lists the keys of a station without their secrets
  station revoke-key --id 12 --key 3 [--reason "…"]
  station close --id 12 --reason "…"            refuses its keys and watches it no more; its vehicles stay
  station reopen --id 12
  station overheight --id 12 --alarm yes|no     whether overheight vehicles raise an alarm there
  location show --id 12      prints the coordinates of a station and when it counts as silent
  location set --id 12 [--latitude 52.3421 --longitude 21.1873] [--chainage-grows yes] [--silent-after 60]
              sets the coordinates (degrees, WGS 84), with which the station is on the map, and the minutes without data
              after which it counts as silent, 30 by default; also all other options of "station add"; "-" removes a
              value
  user reset-password --username admin [--password-stdin]
              sets a password that the user must change at the next sign-in: the first line of standard input, or a
              generated one, which is printed once
  user reset-factors --username admin
              removes the second factors of a user who lost them, and ends their sessions; where one is required, the next
              sign-in sets it up again
  role restore-administrator [--username anna]
              restores all permissions of the administrator role, which then requires neither passkey nor provider;
              optionally grants it to an account and enables that
  sign list                  lists signs with their groups, and all contents
  sign group --station 12 --description "…" --variants "Kontrola,Objazd"     variants are numbered from 1
  sign content --description "…" [--pictogram weigh --graphic 3] [--lines "KONTROLA|ZJAZD"]
              the screen draws the pictogram; the sign shows the graphic stored there under this number
  sign add --group 1 --road S8 --chainage 12+300 --driver ntcip1203 --host 10.0.0.5 [--port 161] [--community-stdin]
              [--plates yes] --contents "4,7"     one content per variant; one sign per station shows plates; the SNMP
              community is "public", or the first line of standard input
  sign set-content --sign 3 --variant 2 --content 7
  sign remove --sign 3
  sign behave --sign 3 [--offline yes] [--delay 800] [--faults "lamp,door"] [--mode local] [--rejects yes]
              sets the faults of a simulated sign (--driver simulated); without options clears them
  demo silence --id 1 --lane 2    stops the data of a lane of the demo; the portal opens a ticket within minutes
  demo sound --id 1 --lane 2      resumes the data of the lane
  secret-key renew           re-encrypts the tokens of the ticket service, the secrets of webhooks and of authenticator
                             apps, and the recovery codes: from SECRET_KEY to NEW_SECRET_KEY, both from the environment; then start the portal with the new one as SECRET_KEY
  image-key renew            creates a new key that signs the addresses of images: all earlier addresses are refused at
                             once, and open pages show images again after a reload
  import --file <path> [--mapping "…"] [--time-zone Europe/Zurich] [--accuracy lane] [--w-units us] [--run yes]
              tries a file of vehicles and prints what an import would store; with --run yes then imports it
  import list                lists imports
  import run --id 3          imports a tried file, or continues an interrupted import
  import cancel --id 3       ends an import and deletes its file; what was imported stays
  offenders count            counts the repeat offenders up to the last full hour now, for example after a restore; the
                             portal itself does so every minute
  pending settle
              takes what waits to be sent as sent: mails, text messages, events of webhooks; after a restore, before the
              portal is started
  partitions                 creates the partitions around now and lists all
  distribute [--shards 32]   distributes the vehicles by station over the workers of Citus, with what is stored, and says what it
              did; run again it changes nothing. Stop the portal meanwhile
  verify                     recounts the hourly roll-up from the vehicles, the days of the statistics and of the archive
                             from the hours, the months from the days, and compares the counts of archive searches and
                             the repeat offenders with the vehicles, and the figures of inspections with these, and the
                             quarters of an hour and the distributions with the vehicles; exits with 1 if they differ
  verify-log [--chain audit|passages] [--from 2026-10-20T08:00:00Z] [--anchors /mnt/anchors]
              recomputes the chains of the logs from their lines, and the seals of vehicles and images from their rows: all or
              one chain, from the beginning or a time, or of a log from a number; names the first link that does not hold,
              and exits with 1 if there is one; also compares them with the anchors, and with copies of these in a folder
  database protect           leaves the account of DATABASE_URL only to read and add what is sealed, by an account in DATABASE_ADMIN_URL
                             that administers the server of the database
  database release           gives it back, for an upgrade whose migrations change these tables
  verify evidence [--from 2026-10-20T08:00:00Z]
              recomputes the seals of vehicles and images, with the files of images
  verify evidence --file <path> [--ca issuers.pem] [--tsa-ca tsa.pem]
              verifies a signed PDF or an evidence package without the database: prints what holds and what does not,
              by place, and exits with 1 if something does not; with --ca and --tsa-ca also who signed and stamped it`

type Options = Record<string, string | undefined>
type Command = (db: Pool, options: Options, now: Date, config: Config) => Promise<void>

/** Maximum differences printed by `verify`: a broken roll-up has one per row. */
const MAX_DIFFERENCES = 20

/** Maximum shards of a distributed table; each has a table for each partition on its worker. */
const MAX_SHARDS = 1_024

/** Webhook events per statement. */
const EVENT_BATCH_SIZE = 1_000

const positiveInt = z.coerce.number().int().positive()
const commands: Record<string, Command> = {
  ...stationCommands,
  'user reset-password': async (db, { username = '', password: chosen }, now, config) => {
    const password = chosen ?? generatePassword((count) => crypto.getRandomValues(new Uint32Array(count)))
    const account = await accountByUsername(db, username)
    if (!account) throw new Error(`User ${username} not found`)
    const user = await userById(db, account.id)
    if (user?.provider) throw new Error(`${username} signs in through a provider and has no password`)
    const names = [account.username, user?.firstName, user?.lastName, user?.email]
    await checkNewPassword(config, password, { roleId: user?.roles[0]?.id ?? null, names })
    const passwordHash = await hashPassword(password)
    await db.transaction(async (db) => {
      await setPassword(db, account.id, passwordHash, now, true)
      await deleteResetTokens(db, account.id)
      await closeSessionsOf(db, account.id, null, now)
      await auditWithoutSession(
        db,
        { userId: null, ip: null, now },
        { action: 'password-reset-by-command', subject: account.username },
      )
    })
    console.log(
      chosen === undefined
        ? `Password of ${account.username}, to be changed at the next sign-in: ${password}`
        : `${account.username} has a new password, to be changed at the next sign-in`,
    )
  },

  'user reset-factors': async (db, { username = '' }, now) => {
    const account = await accountByUsername(db, username)
    if (!account) throw new Error(`User ${username} not found`)
    await db.transaction(async (db) => {
      await deleteFactors(db, account.id)
      await closeSessionsOf(db, account.id, null, now)
      const origin = { userId: null, ip: null, now }
      await auditWithoutSession(db, origin, { action: 'factors-reset-by-command', subject: account.username })
    })
    console.log(`${account.username} has no second factor`)
  },

  'role restore-administrator': async (db, { username }, now) => {
    const hasAdministrator = await restoreAdministrator(db, username, now)
    console.log('The administrator role has all its rights')
    if (username)
      console.log(
        `${username} is an enabled administrator; new administrators change their password at the next sign-in`,
      )
    if (hasAdministrator) return
    console.log('No enabled account has this role: repeat the command with --username')
    process.exitCode = 1
  },

  ...signCommands,
  ...importCommands,
  ...evidenceCommands,
  'demo silence': (db, options) => setDemoLane(db, options, true),
  'demo sound': (db, options) => setDemoLane(db, options, false),

  'secret-key renew': async (db, _options, _now, { secretKey }) => {
    const newKey = readConfig({ ...process.env, SECRET_KEY: process.env.NEW_SECRET_KEY }).secretKey
    if (!secretKey || !newKey) throw new Error('Set SECRET_KEY to the current key and NEW_SECRET_KEY to the next one')
    const { renewed, unreadable } = await db.transaction(async (db) => {
      const tokens = await rotateSecrets(db, secretKey, newKey)
      const secrets = await rotateWebhookSecrets(db, secretKey, newKey)
      const factors = await rotateFactorSecrets(db, secretKey, newKey)
      await deleteStoredIdTokens(db)
      const all = [tokens, secrets, factors]
      const sum = (name: 'renewed' | 'unreadable') => all.reduce((total, done) => total + done[name], 0)
      return { renewed: sum('renewed'), unreadable: sum('unreadable') }
    })
    console.log(`${renewed} secrets encrypted with the new key; neither key decrypts ${unreadable}`)
    if (unreadable > 0) process.exitCode = 1
  },

  'image-key renew': async (db) => {
    await renewImageKey(db)
    console.log('Addresses of images are signed with a new key')
  },

  'offenders count': async (db, _, now) => {
    await deriveOffenders(db, now)
    console.log('Repeat offenders are counted.')
  },

  'pending settle': async (db, _options, now) => {
    const [messages, events] = await db.transaction(async (db) => {
      await db.liftTimeLimit()
      // Without deliveries: they are sent only when a subscription asks for them again.
      let taken = 0
      for (
        let ids = await takeNewEvents(db, EVENT_BATCH_SIZE);
        ids.length > 0;
        ids = await takeNewEvents(db, EVENT_BATCH_SIZE)
      )
        taken += ids.length
      return [await settleUnsent(db, now), taken + (await settleDeliveries(db, now))]
    })
    console.log(`${messages} messages and ${events} events of webhooks will not be sent`)
  },

  partitions: async (db, _options, now, config) => {
    await preparePartitions(db, now, config.partitions)
    for (const table of ['vehicle', 'vehicle_detail', 'vehicle_image', 'traffic_hour'])
      console.log(`${table}\t${(await listPartitions(db, table)).map(({ label }) => label).join(' ')}`)
  },

  distribute: async (db, { shards }) => {
    const { workers, tables } = await distribute(db, positiveInt.max(MAX_SHARDS).default(DEFAULT_SHARDS).parse(shards))
    for (const { table, rows, isNew } of tables)
      console.log(
        `${table}: ${isNew ? `${rows} rows distributed by station over ${workers} workers` : `distributed already, ${rows} rows`}`,
      )
    console.log('All other tables stay on the coordinator')
  },

  verify: async (db, _options, now) => {
    const { vehicles, rows, differences } = await verifyRollUp(db)
    for (const { key, stored, recounted } of differences.slice(0, MAX_DIFFERENCES))
      console.log(`${key}\n  stored    ${JSON.stringify(stored)}\n  recounted ${JSON.stringify(recounted)}`)
    console.log(`${vehicles} vehicles in ${rows} rows of the roll-up: ${differences.length} differ`)
    const derived = await verifyDerived(db)
    for (const { level, side, row } of derived.differences.slice(0, MAX_DIFFERENCES))
      console.log(`${level} ${side.padEnd(9)} ${JSON.stringify(row)}`)
    for (const level of ['day', 'month'] as const) {
      const count = derived.differences.filter((one) => one.level === level).length
      console.log(`roll-up by ${level}, over ${derived.months} months: ${count} rows differ`)
    }
    const days = await verifyDays(db)
    for (const { locationId, day } of days.slice(0, MAX_DIFFERENCES)) console.log(`station ${locationId}, ${day}`)
    console.log(`${days.length} days of stations are counted wrongly for the archive`)
    const counts = await verifyCounts(db)
    for (const { from, to, counted, stored } of counts)
      console.log(`${from.toISOString()} to ${to.toISOString()}: a search counts ${counted}, stored are ${stored}`)
    console.log(`${counts.length} partitions have other vehicles than a search of the archive counts`)
    const figures = await verifyFigures(db)
    for (const difference of figures.slice(0, MAX_DIFFERENCES)) console.log(difference)
    console.log(`${figures.length} figures of inspections differ`)
    const offenders = await verifyOffenders(db, now)
    for (const difference of offenders.differences.slice(0, MAX_DIFFERENCES)) console.log(JSON.stringify(difference))
    console.log(
      `repeat offenders: ${offenders.differences.length} days, the sums of ${offenders.wrongSums} and the carriers of ${offenders.wrongCarriers} vehicles differ, ` +
        `${offenders.wrongVehicles} plates belong to another vehicle than they are joined to, ${offenders.unread} vehicles were not read`,
    )
    const quarters = await verifyQuarters(db, now)
    for (const difference of quarters.slice(0, MAX_DIFFERENCES)) console.log(JSON.stringify(difference))
    console.log(`traffic by quarters of an hour: ${quarters.length} rows differ`)
    const distributions = await verifyDistributions(db)
    for (const difference of distributions.differences.slice(0, MAX_DIFFERENCES))
      console.log(JSON.stringify(difference))
    console.log(`distributions of ${distributions.days} days: ${distributions.differences.length} rows differ`)
    const all = [
      differences,
      derived.differences,
      distributions.differences,
      days,
      counts,
      figures,
      offenders.differences,
      quarters,
    ]
    const { wrongSums, wrongCarriers, wrongVehicles, unread } = offenders
    if (all.some((list) => list.length > 0) || wrongSums + wrongCarriers + wrongVehicles + unread > 0)
      process.exitCode = 1
  },
}

async function setDemoLane(db: Pool, options: Options, silent: boolean): Promise<void> {
  const [id, lane] = [positiveInt.parse(options.id), positiveInt.parse(options.lane)]
  const station = (await locations(db)).find((one) => one.id === id)
  if (!station?.lanes.some(({ laneNumber }) => laneNumber === lane))
    throw new Error(`Station ${id} has no lane ${lane}`)
  await notifyDemoLane(db, { location: id, lane, silent })
  console.log(`${station.shortName}, lane ${lane}: ${silent ? 'stopped' : 'resumed'}`)
}

/** Options with a value on the command line, and the secrets, whose value is read from standard input. */
const optionTypes: Record<string, { type: 'string' | 'boolean' }> = {
  ...Object.fromEntries(
    [...stationOptions, ...signOptions, ...importCommandOptions, ...evidenceOptions, 'lane', 'shards', 'username'].map(
      (name) => [name, { type: 'string' }],
    ),
  ),
  'password-stdin': { type: 'boolean' },
  'community-stdin': { type: 'boolean' },
}

/** `--password-stdin` becomes the option `password`, with the line that was read. */
async function readOptions(values: ReturnType<typeof parseArgs>['values']): Promise<Options> {
  const options: Options = {}
  for (const [name, value] of Object.entries(values))
    if (typeof value === 'string') options[name] = value
    else options[name.replace(/-stdin$/, '')] = await readSecret(name)
  return options
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: optionTypes })
  const command = commands[positionals.slice(0, 2).join(' ')] ?? commands[positionals[0] ?? '']
  if (!command) {
    console.log(USAGE)
    return
  }
  const options = await readOptions(values)
  if (await verifyWithoutDatabase(positionals.slice(0, 2).join(' '), options, new Date())) return
  const config = readConfig(process.env)
  const embedded = config.databaseUrl ? null : await attachEmbedded(join(config.dataDir, 'postgres'))
  const url = config.databaseUrl ?? (embedded?.url as string)
  const db = connect(url, 4)
  try {
    // The database may have to be released for the migrations of this version.
    if (command !== commands['database release']) await assertMigrated(url)
    await command(db, options, new Date(), config)
  } finally {
    await db.end(1_000)
    await embedded?.stop()
  }
}

// The reader of the output may close the pipe (`| head`): the command still finishes.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })

const englishText = (code: ErrorCode): string => toApiErrors([{ path: null, code }], 'en')[0]?.userMessage ?? code

/** The English text of a message that is an error code; others are unchanged. */
const readable = (message: string): string => {
  const code = errorCodes.find((one) => one === message)
  return code ? englishText(code) : message
}

/** The reason of a failed command; those of the portal's rules in their English texts. */
function messageOf(error: unknown): string {
  if (error instanceof z.ZodError)
    return z.prettifyError({ issues: error.issues.map((issue) => ({ ...issue, message: readable(issue.message) })) })
  const { errors, status } = toRefusal(error)
  // Of what is no rule, such as a database that does not answer, the cause says more.
  if (!(error instanceof Refusal) && status >= 500) return (error as Error).message
  return errors.map(({ code }) => englishText(code)).join('\n')
}

main().catch((error: unknown) => {
  console.error(messageOf(error))
  process.exit(1)
})
