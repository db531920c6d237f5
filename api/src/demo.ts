import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import type { PastInspection } from '@rogatka/domain/inspections/pastInspection.ts'
import { insertDemoCalibrations } from './calibration/demo.ts'
import { insertDemoCertificates } from './certificates/demo.ts'
import type { Config } from './config.ts'
import type { Pool } from './core/database.ts'
import { createListener } from './core/listen.ts'
import { demoInspectionsFrom, insertPastInspections, needsDemoInspections } from './inspections/demo.ts'
import { demoLocations } from './locations/demo.ts'
import { addCoordinates, addLocation, createStationKey, DEMO_LANES, openLocations } from './locations/queries.ts'
import { seedDemoQuarters } from './overview/demo.ts'
import { seedDemoTickets } from './tickets/demo.ts'
import { ADMINISTRATOR } from './users/administrator.ts'
import { accountByUsername } from './users/credential-queries.ts'
import { ensureDemoOfficers } from './users/demo.ts'
import { firstHourByStation } from './vehicle/queries.ts'
import { insertDemoSigns, networkSigns } from './vms/demo.ts'
import { moveSign, notifySigns } from './vms/queries.ts'
import { demoWanted, seedDemoWanted } from './wanted/demo.ts'

const SIMULATOR = fileURLToPath(new URL('../../simulator/src/main.ts', import.meta.url))
const SIGN_SIMULATOR = fileURLToPath(new URL('../../simulator/src/signs/main.ts', import.meta.url))

type Log = { debug: (text: string) => void; error: (text: string) => void }
type Context = { db: Pool; config: Config; log: Log }

/** Suggestions for first-time users. */
export function welcomeText(address: string, buildCode: string): string {
  const stations = demoLocations.map(({ id }) => id).join(',')
  // Builds of the SG variant do not link to the live list.
  const watch = buildCode.startsWith('SG')
    ? `View traffic statistics: ${address}/stat`
    : `Watch live traffic: ${address}/?step=3&locations=${stations}`
  return `Three things to try:
  1. ${watch}
  2. Send measurements as a station, with a station key and curl: docs/getting-started.md
  3. Search the archive for today's overloaded lorries and export them as PDF, CSV or XLSX: ${address}/archival`
}

/**
 * Inserts the stations and signs of the demo and starts the simulator, with new station keys. It runs in child
 * processes that use HTTP as stations and SNMP as signs do; they exit when their stdin closes, so never outlive this
 * process.
 */
export async function startDemo({ db, config, log }: Context, url: string): Promise<{ stop: () => Promise<void> }> {
  const now = new Date()
  for (const station of demoLocations) {
    // With its lanes at once, as it is listed from then on.
    await db.transaction((db) => addLocation(db, station))
    // Of a demo that was created before stations had coordinates, and their chainage a direction.
    await addCoordinates(db, station.id, station)
  }
  const firstHours = await firstHourByStation(db)
  // Backfill runs backwards from today, so it is complete when its oldest day exists.
  const oldestDay = now.getTime() - (config.demoBackfillDays - 1) * DAY_MS
  const allLocations = await openLocations(db)
  const administrator = await accountByUsername(db, ADMINISTRATOR)
  const author = administrator && { userId: administrator.id, username: administrator.username }
  // Only with a backfill, whose vehicles are the hits of these lists.
  if (administrator && firstHours.size === 0 && config.demoBackfillDays > 0)
    await db.transaction((db) => seedDemoWanted(db, administrator.id, now))
  const calibrated = author ? await insertDemoCalibrations(db, demoLocations, author, now, config.demoBackfillDays) : []
  await seedDemoTickets(db, config.organization, author?.userId ?? null, now)
  // A closed station sends nothing.
  const openStations = demoLocations.filter(({ id }) => allLocations.some((location) => location.id === id))
  const stations = await Promise.all(
    openStations.map(async ({ id, speedLimit, speedLimitHeavy }) => ({
      key: await createStationKey(db, id, now, true),
      location: allLocations.find((location) => location.id === id),
      speedLimit,
      speedLimitHeavy,
      calibratedAt: calibrated.filter(({ locationId }) => locationId === id).map(({ finishedAt }) => finishedAt),
      backfill: (firstHours.get(id)?.getTime() ?? Infinity) > oldestDay,
    })),
  )

  const listedVehicles = demoWanted.map(({ plate, nationality, kind, every }) => ({ plate, nationality, kind, every }))
  const inspectors = config.demoBackfillDays > 0 ? await setUpOfficers(db, config, now) : null
  const addUsualTraffic = () =>
    seedDemoQuarters(db, new Date()).catch((error: Error) => log.error(`usual traffic: ${error.message}`))
  // Otherwise it follows the history.
  if (inspectors?.forSimulator.pastFrom === null) void addUsualTraffic()
  const stationSimulator = startChild(
    SIMULATOR,
    log,
    {
      url,
      backfillDays: config.demoBackfillDays,
      traffic: config.demoTrafficPercent / 100,
      stations,
      recurring: listedVehicles,
      officers: inspectors?.forSimulator ?? null,
    },
    // Live inspections begin when the past ones have their numbers.
    (past) =>
      inspectors
        ?.storePast(past as PastInspection[])
        .then((stored) => log.debug(`inspections of the past: ${stored}`))
        .then(addUsualTraffic)
        .catch((error: Error) => log.error(`inspections of the past: ${error.message}`))
        .then(() => stationSimulator.send(JSON.stringify({ officersOnDuty: true }))),
  )
  const signSimulator = startChild(SIGN_SIMULATOR, log, { signs: await setUpSigns(db, now) })
  // Forwards `manage demo silence` to the simulator.
  const listening = createListener(db, [DEMO_LANES], {
    onNotify: (_channel, payload) => stationSimulator.send(payload),
    onListening: () => {},
  })
  return {
    stop: async () => {
      stationSimulator.stop()
      signSimulator.stop()
      await listening.stop()
    },
  }
}

/** Scales, certificates and officers of the demo; what the simulator has to know of them, and how their past is stored. */
async function setUpOfficers(db: Pool, { demoBackfillDays, shiftStarts }: Config, now: Date) {
  const scales = await insertDemoCertificates(db, now)
  const accounts = await ensureDemoOfficers(db, now)
  const officers = new Map(accounts.map(({ username, userId }) => [username, userId]))
  const hasPast = !(await needsDemoInspections(db))
  return {
    forSimulator: {
      scales,
      accounts: accounts.map(({ username, password }) => ({ username, password })),
      pastFrom: hasPast ? null : demoInspectionsFrom(now, demoBackfillDays),
    },
    storePast: (past: PastInspection[]) => insertPastInspections(db, past, { officers, shiftStarts, now }),
  }
}

type ChildProcess = { send: (line: string) => void; stop: () => void }

/**
 * A child process that gets its configuration as a line of JSON on stdin and exits when that closes. `onMessage` gets
 * what it sends.
 */
function startChild(
  file: string,
  log: Log,
  configuration: object,
  onMessage: (message: unknown) => void = () => {},
): ChildProcess {
  const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'inherit', 'ipc'], detached: true })
  const { stdin, stdout } = child as ChildProcessWithoutNullStreams
  stdin.on('error', () => {})
  stdin.write(`${JSON.stringify(configuration)}\n`)
  createInterface(stdout).on('line', (line) => log.debug(`simulator: ${line}`))
  child.on('message', onMessage)
  child.on('exit', (code) => {
    if (code) log.error(`simulator: ended with ${code}`)
  })
  return { send: (line) => stdin.write(`${line}\n`), stop: () => stdin.end() }
}

/** Inserts the signs, and assigns free ports on loopback to those on the network, in one transaction. */
const setUpSigns = (pool: Pool, now: Date) =>
  pool.transaction(async (db) => {
    const stations = demoLocations.toSorted((a, b) => a.id - b.id)
    const administrator = await accountByUsername(db, ADMINISTRATOR)
    if (administrator) await insertDemoSigns(db, stations, administrator.id, now)
    const found = await networkSigns(db)
    const ports = await freePorts(found.length)
    const addressed = found.map(({ id, community }, index) => ({ id, community, port: ports[index] as number }))
    for (const { id, port } of addressed) await moveSign(db, id, '127.0.0.1', port)
    await notifySigns(db)
    return addressed
  })

/** Free UDP ports, bound at the same time to be distinct. */
async function freePorts(count: number): Promise<number[]> {
  const sockets = Array.from({ length: count }, () => createSocket('udp4').bind(0, '127.0.0.1'))
  await Promise.all(sockets.map((socket) => once(socket, 'listening')))
  const ports = sockets.map((socket) => socket.address().port)
  for (const socket of sockets) socket.close()
  return ports
}
