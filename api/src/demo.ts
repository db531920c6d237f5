import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { insertDemoCalibrations } from './calibration/demo.ts'
import { createListener } from './core/listen.ts'
import type { Api } from './core/route.ts'
import { demoLocations } from './locations/demo.ts'
import { addLocation, DEMO_LANES, locations, newStationKey } from './locations/queries.ts'
import { seedDemoTickets } from './tickets/demo.ts'
import { ADMINISTRATOR } from './users/administrator.ts'
import { accountByUsername } from './users/credential-queries.ts'
import { firstHourByStation } from './vehicle/queries.ts'
import { addDemoSigns, networkSigns } from './vms/demo.ts'
import { announce, moveSign } from './vms/queries.ts'
import { demoWanted, seedDemoWanted } from './wanted/demo.ts'

const SIMULATOR = fileURLToPath(new URL('../../simulator/src/main.ts', import.meta.url))
const SIGNS = fileURLToPath(new URL('../../simulator/src/signs/main.ts', import.meta.url))

/** For whoever sees the portal for the first time. */
export function thingsToTry(address: string, buildCode: string): string {
  const stations = demoLocations.map(({ id }) => id).join(',')
  // Builds of the SG variant have no link to the live list.
  const watch = buildCode.startsWith('SG')
    ? `See how much traffic there is: ${address}/stat`
    : `Watch the traffic come in: ${address}/?step=3&locations=${stations}`
  return `Three things to try:
  1. ${watch}
  2. Be a station yourself, with a key and curl: docs/getting-started.md
  3. Find the overloaded lorries of today and take them with you as PDF, CSV or XLSX: ${address}/archival`
}

/**
 * Adds the stations and signs of the demo and starts their simulator, the stations with fresh keys.
 * The simulator is processes of its own, which speak HTTP as real stations do and SNMP as real signs do; they end when
 * their input closes, so they never outlive this process.
 */
export async function startDemo({ db, config, now, http }: Api, url: string): Promise<{ stop: () => Promise<void> }> {
  for (const station of demoLocations) await addLocation(db, station)
  const begins = await firstHourByStation(db)
  // History is told from today backwards, so it is whole when its oldest day is there.
  const oldestDay = now().getTime() - (config.demoBackfillDays - 1) * DAY_MS
  const known = await locations(db)
  const administrator = await accountByUsername(db, ADMINISTRATOR)
  const by = administrator && { userId: administrator.id, username: administrator.username }
  // Only where a history is told: its vehicles are the hits of these lists.
  if (administrator && begins.size === 0 && config.demoBackfillDays > 0)
    await db.transaction((db) => seedDemoWanted(db, administrator.id, now()))
  const calibrated = by ? await insertDemoCalibrations(db, demoLocations, by, now(), config.demoBackfillDays) : []
  await seedDemoTickets(db, config.organization, by?.userId ?? null, now())
  const stations = await Promise.all(
    demoLocations.map(async ({ id, speedLimit, speedLimitHeavy }) => ({
      key: await newStationKey(db, id, now(), true),
      location: known.find((location) => location.id === id),
      speedLimit,
      speedLimitHeavy,
      calibratedAt: calibrated.filter(({ locationId }) => locationId === id).map(({ finishedAt }) => finishedAt),
      backfill: (begins.get(id)?.getTime() ?? Infinity) > oldestDay,
    })),
  )

  const regulars = demoWanted.map(({ plate, nationality, kind, every }) => ({ plate, nationality, kind, every }))
  const traffic = startChild(SIMULATOR, http, { url, backfillDays: config.demoBackfillDays, stations, regulars })
  const signs = startChild(SIGNS, http, { signs: await placeSigns(db, now()) })
  // `manage demo silence` is told to the simulator, which breaks the lane.
  const listening = createListener(db, [DEMO_LANES], {
    onNotify: (_channel, payload) => traffic.tell(payload),
    onListening: () => {},
  })
  return {
    stop: async () => {
      traffic.stop()
      signs.stop()
      await listening.stop()
    },
  }
}

type Child = { tell: (line: string) => void; stop: () => void }

/** A process with its orders as a line of JSON on its input; it ends when that closes. */
function startChild(file: string, http: Api['http'], orders: object): Child {
  const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'inherit'], detached: true })
  child.stdin.on('error', () => {})
  child.stdin.write(`${JSON.stringify(orders)}\n`)
  createInterface(child.stdout).on('line', (line) => http.log.debug(`simulator: ${line}`))
  child.on('exit', (code) => {
    if (code) http.log.error(`simulator: ended with ${code}`)
  })
  return { tell: (line) => child.stdin.write(`${line}\n`), stop: () => child.stdin.end() }
}

/** Puts up the signs, and gives each that speaks over the network a free port on loopback: all at once, or none. */
const placeSigns = (pool: Api['db'], now: Date) =>
  pool.transaction(async (db) => {
    const places = demoLocations.toSorted((a, b) => a.id - b.id)
    const administrator = await accountByUsername(db, ADMINISTRATOR)
    if (administrator) await addDemoSigns(db, places, administrator.id, now)
    const found = await networkSigns(db)
    const ports = await freePorts(found.length)
    const placed = found.map(({ id, community }, index) => ({ id, community, port: ports[index] as number }))
    for (const { id, port } of placed) await moveSign(db, id, '127.0.0.1', port)
    await announce(db)
    return placed
  })

/** So many free ports; all are held at once, so that no two are the same. */
async function freePorts(count: number): Promise<number[]> {
  const held = Array.from({ length: count }, () => createSocket('udp4').bind(0, '127.0.0.1'))
  await Promise.all(held.map((socket) => once(socket, 'listening')))
  const ports = held.map((socket) => socket.address().port)
  for (const socket of held) socket.close()
  return ports
}
