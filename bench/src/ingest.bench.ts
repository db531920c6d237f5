import { deserialize, serialize } from 'node:v8'
import { readConfig } from '@rogatka/api/config.ts'
import { daysBetween } from '@rogatka/api/core/partitions.ts'
import { raw } from '@rogatka/api/core/statement.ts'
import type { NewVehicle } from '@rogatka/api/ingest/queries.ts'
import { createStationCache } from '@rogatka/api/ingest/station.ts'
import { createVehicleStore } from '@rogatka/api/ingest/store.ts'
import { euroOf, evidenceOf, shapeOf } from '@rogatka/api/ingest/stored-form.ts'
import { addLocation, createStationKey } from '@rogatka/api/locations/queries.ts'
import { ensureVehiclePartitions } from '@rogatka/api/vehicle/maintenance.ts'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { post, type WireMeasurement } from '@rogatka/contract/ingest.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { packAxles, packGroups } from '@rogatka/domain/vehicle/pack.ts'
import { type Comparison, type Contender, isQuick } from './bench.ts'
import { startBenchPortal } from './bench-portal.ts'
import { type Copy, copyIn } from './copy.ts'
import { deriveVehicle } from './derive.ts'
import { type HttpConnection, openConnection, postRequest } from './http-connection.ts'
import { benchStation, trafficFrom } from './traffic.ts'

const BATCH = 500
const BATCHES = isQuick ? 4 : 10
/** Posts of one vehicle in a round, of all stations together. */
const SINGLE_POSTS = isQuick ? 256 : 2_048
const CALLERS = [1, 8, 64]
/** Stations that send batches at the same time. */
const BATCH_CALLERS = 4
const STATIONS = { copy: 1, statement: 2, http: 10 }
const COPY = 'COPY of derived rows and details into the real tables'

export const bench: Comparison = {
  summary: `Vehicles sent over HTTP to a server process, stored with all derived data and acknowledged after the commit, against COPY of ${(BATCH * BATCHES).toLocaleString('en')} vehicles that were validated, derived and formatted before. Requests are formatted before, too. Vehicles are a day old, so live lists are left out; so are images`,
  goal: 'at least 0.3 of the COPY into the real tables in batches of 500; single posts of 64 stations at 2,500 per second, 99 % within 50 ms',
  unit: 'vehicles',
  rounds: 5,
  async prepare() {
    const { portal, url, db } = await startBenchPortal()
    const { overloadBasis } = readConfig({ DATABASE_URL: url, LOG_LEVEL: 'silent' })
    // Since yesterday, so not live, like a backlog of a station.
    const begin = Date.now() - DAY_MS
    await ensureVehiclePartitions(db, daysBetween(new Date(begin), new Date()), 'month')
    for (const [name, id] of Object.entries({ copy: STATIONS.copy, statement: STATIONS.statement }))
      await addLocation(db, benchStation(id, name))
    for (let at = 0; at < Math.max(...CALLERS); at++)
      await addLocation(db, benchStation(STATIONS.http + at, `S8 ${at}`))
    await db.query(raw('create unlogged table bare_vehicle (like vehicle including defaults)'))
    const stations = await Promise.all(
      Array.from({ length: Math.max(...CALLERS) }, async (_, at) => ({
        key: await createStationKey(db, STATIONS.http + at, new Date()),
        traffic: trafficFrom(20 + at, (sequence) => begin + sequence * 200),
        connection: await openConnection(Number(new URL(portal.url).port)),
      })),
    )
    const storeVehicles = createVehicleStore(db, 'month')
    const cachedStation = createStationCache(db)
    const traffic = trafficFrom(8, (sequence) => begin + sequence * 200)
    let derived: NewVehicle[][] = []
    const deriveFor = (station: number) => async () => {
      const rules = await cachedStation(station, new Date())
      derived = Array.from({ length: BATCHES }, () =>
        traffic(BATCH).map((wire) => deriveVehicle(wire, rules, overloadBasis)),
      )
    }
    /** Bodies of batches, and what a worker thread would return for them. */
    let work: { bodies: string[]; results: Buffer[] } = { bodies: [], results: [] }
    const prepareWork = async () => {
      await deriveFor(STATIONS.statement)()
      work = {
        bodies: derived.map(() => JSON.stringify(traffic(BATCH))),
        results: derived.map((batch) => serialize(batch)),
      }
    }
    const copying = (table: string) => {
      let copies: Copy[] = []
      return {
        before: async () => {
          await deriveFor(STATIONS.copy)()
          copies = copiesInto(table, derived.flat(), new Date())
        },
        run: async () => {
          await copyIn(url, copies)
          return BATCH * BATCHES
        },
      }
    }
    const waits = new Map<number, number[]>(CALLERS.map((callers) => [callers, []]))
    /** Posts of some stations at once, each one after the other; `onAnswer` gets the time of each, ms. */
    const posts = (callers: number, size: number, total: number, onAnswer: (ms: number) => void = () => {}) => {
      const each = total / size / callers
      let requests: Buffer[][] = []
      return {
        against: COPY,
        before: async () => {
          requests = stations
            .slice(0, callers)
            .map((station) => Array.from({ length: each }, () => requestOf(station, station.traffic(size))))
        },
        run: async () => {
          await Promise.all(
            requests.map(async (ofStation, at) => {
              for (const request of ofStation) {
                const start = performance.now()
                await send(stations[at] as BenchStation, request, size)
                onAnswer(performance.now() - start)
              }
            }),
          )
          return total
        },
      }
    }
    const stationsOf = (callers: number) => (callers === 1 ? 'one station' : `${callers} stations at once`)
    const singlePosts = (callers: number): Contender => ({
      name: `POST of single vehicles, ${stationsOf(callers)}`,
      ...posts(callers, 1, SINGLE_POSTS / (callers === 1 ? 8 : 1), (ms) => waits.get(callers)?.push(ms)),
    })
    const batchPosts = (callers: number, size: number): Contender => ({
      name: `POST in batches of ${size}, ${stationsOf(callers)}`,
      ...posts(callers, size, BATCH * BATCHES * callers),
    })

    return {
      contenders: [
        {
          name: COPY,
          ...copying('vehicle'),
        },
        {
          name: 'COPY of derived rows into an unlogged table without indexes',
          ...copying('bare_vehicle'),
        },
        {
          name: 'ingest statement alone, batches of 500 derived before',
          before: deriveFor(STATIONS.statement),
          run: async () => {
            for (const batch of derived) await storeVehicles(STATIONS.statement, batch, new Date())
            return BATCH * BATCHES
          },
        },
        {
          name: 'parsing, validation and derivation alone, batches of 500',
          before: prepareWork,
          run: async () => {
            const rules = await cachedStation(STATIONS.statement, new Date())
            for (const body of work.bodies)
              for (const wire of JSON.parse(body)) deriveVehicle(wire, rules, overloadBasis)
            return BATCH * BATCHES
          },
        },
        {
          name: 'taking over what a worker thread would have derived, batches of 500',
          before: prepareWork,
          run: async () => {
            for (const result of work.results) deserialize(result)
            return BATCH * BATCHES
          },
        },
        batchPosts(1, BATCH),
        batchPosts(BATCH_CALLERS, BATCH),
        batchPosts(1, 50),
        ...CALLERS.map(singlePosts),
      ],
      notes: () =>
        [...waits].map(([callers, all]) => {
          const sorted = all.toSorted((a, b) => a - b)
          const within = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(1)
          return `single posts of ${callers}: half acknowledged within ${within(0.5)} ms, 99 % within ${within(0.99)} ms`
        }),
      clear: async () => {
        for (const { connection } of stations) connection.close()
        await db.end(2_000)
        await portal.stop()
      },
    }
  },
}

type BenchStation = { key: string; connection: HttpConnection; traffic: (count: number) => WireMeasurement[] }

const requestOf = ({ key }: BenchStation, vehicles: readonly WireMeasurement[]) =>
  postRequest(API_BASE + post.path, vehicles, { authorization: `Bearer ${key}` })

async function send({ connection }: BenchStation, request: Buffer, vehicles: number): Promise<void> {
  const response = await connection.send(request)
  if (!response.includes(`"accepted":${vehicles},`)) throw new Error(response)
}

/** Vehicles of station 1 for a table like `vehicle`; the real one with details. */
const copiesInto = (table: string, vehicles: readonly NewVehicle[], now: Date): Copy[] => [
  {
    into: `${table} (location_id, created_at, id, checkpoint_time, vms_readable_at, total_load,
      limit_total_load, overload_sa, overload_ma, overload_tl, lane_number, speed, speed_limit, veh_length, veh_height,
      limit_height, limit_length, number_of_axles, ctg8p1, ctg323, violations, plate_lpr, nationality, received_at)`,
    rows: vehicles.map((vehicle) => row(vehicle, now)).join(''),
  },
  ...(table === 'vehicle'
    ? [
        {
          into: `vehicle_detail (location_id, created_at, id, accuracy_class, axles, axle_groups, shape, euro, digest,
            evidence)`,
          rows: vehicles.map((vehicle) => detail(vehicle, now)).join(''),
        },
      ]
    : []),
]

const line = (values: readonly (Date | number | string | null | undefined)[]) =>
  `${values.map((value) => (value instanceof Date ? value.toISOString() : (value ?? '\\N'))).join('\t')}\n`

const tenths = (percent: number | null) => percent && Math.round(percent * 10)

const row = ({ measured: m, derived: d }: NewVehicle, now: Date) =>
  line([
    ...[STATIONS.copy, m.createdAt, d.id, d.checkpointTime, d.plateVmsReadablePointAt, d.totalLoad, d.limitTotalLoad],
    ...[tenths(d.overloadSA), tenths(d.overloadMA), tenths(d.overloadTL), m.laneNumber, m.speed, d.speedLimit],
    ...[m.vehLength, m.vehHeight, d.limitHeight, d.limitLength, d.numberOfAxles, d.ctg8p1, d.ctg323, d.violations],
    ...[d.plateLpr, m.nationality, now],
  ])

const bytes = (value: Uint8Array | null | undefined) => value && `\\\\x${Buffer.from(value).toString('hex')}`

const detail = (vehicle: NewVehicle, now: Date) => {
  const { measured: m, derived: d, digest } = vehicle
  const evidence = evidenceOf({ ...vehicle, locationId: STATIONS.copy }, { now, importId: null })
  return line([
    ...[STATIONS.copy, m.createdAt, d.id, d.accuracyClass, `{${packAxles(d.axles)}}`, `{${packGroups(d.groups)}}`],
    ...[bytes(shapeOf(m.shapeSamples)), euroOf(m.euro), bytes(digest), bytes(evidence)],
  ])
}
