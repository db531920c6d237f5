import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createApp } from '@rogatka/api/app.ts'
import { readConfig } from '@rogatka/api/config.ts'
import type { Pool } from '@rogatka/api/core/database.ts'
import type { NewVehicle } from '@rogatka/api/ingest/queries.ts'
import { createStations } from '@rogatka/api/ingest/station.ts'
import { storeVehicles } from '@rogatka/api/ingest/store.ts'
import { addLocation, newStationKey } from '@rogatka/api/locations/queries.ts'
import { ensureVehiclePartitions } from '@rogatka/api/vehicle/queries.ts'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { measurement, post, type WireMeasurement } from '@rogatka/contract/ingest.ts'
import { derive } from '@rogatka/domain/ingest/derive.ts'
import { packAxles, packGroups } from '@rogatka/domain/vehicle/pack.ts'
import { type Passage, passage } from './archive-traffic.ts'
import { benchDatabase } from './database.ts'
import type { Bench } from './main.ts'
import { randomFrom } from './random.ts'

const BATCH = 500
const BATCHES = 10
/** Yesterday: nothing of it is live, as when a station catches up. */
const DAY_MS = 86_400_000
const STATIONS = { copy: 1, statement: 2, http: 3 }

export const bench: Bench = {
  summary: `Derived vehicles of a station, ${BATCH} at once, against one bare COPY into the same tables and indexes`,
  unit: 'vehicles',
  rounds: 5,
  async prepare() {
    const { sql, url, drop } = await benchDatabase()
    const config = { ...readConfig({ DATABASE_URL: url, LOG_LEVEL: 'silent' }), demo: false }
    const app = await createApp(config, sql)
    for (const [name, id] of Object.entries(STATIONS)) await addLocation(sql, station(id, name))
    const key = await newStationKey(sql, STATIONS.http, new Date())
    const begin = Date.now() - DAY_MS
    await ensureVehiclePartitions(sql, [new Date(begin), new Date()], 'month')
    const traffic = trafficFrom(begin)
    const stationAndLaw = createStations(sql)

    const derived = async (id: number): Promise<NewVehicle[]> => {
      const { station, limitsAt } = await stationAndLaw(id, new Date())
      return traffic().map((wire) => {
        const measured = measurement.parse(wire)
        return { measured, derived: derive(measured, station, limitsAt(measured.createdAt), config.overloadBasis) }
      })
    }

    return {
      contenders: [
        {
          name: 'bare COPY of rows and details',
          run: async () => {
            const vehicles: NewVehicle[] = []
            for (let batch = 0; batch < BATCHES; batch++) vehicles.push(...(await derived(STATIONS.copy)))
            await copy(sql, vehicles)
            return vehicles.length
          },
        },
        {
          name: 'statement: rows, details, roll-up',
          run: () =>
            repeat(async () =>
              storeVehicles(sql, STATIONS.statement, await derived(STATIONS.statement), new Date(), 'month'),
            ),
        },
        {
          name: 'POST /measurements, all of it',
          run: () =>
            repeat(async () => {
              const answer = await app.api.http.inject({
                method: post.method,
                url: API_BASE + post.path,
                headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
                payload: JSON.stringify(traffic()),
              })
              if (answer.json().accepted !== BATCH) throw new Error(answer.body)
            }),
        },
      ],
      clear: async () => {
        await app.close()
        await drop()
      },
    }
  },
}

async function repeat(batch: () => Promise<unknown>): Promise<number> {
  for (let done = 0; done < BATCHES; done++) await batch()
  return BATCH * BATCHES
}

const station = (id: number, name: string) => ({
  id,
  shortName: name,
  name,
  roadNumber: 'S8',
  chainage: '1+000',
  direction: 'Warszawa',
  speedLimit: 120,
  speedLimitHeavy: 80,
  distanceToSign: 1_000,
  distanceToCheckpoint: 5_000,
  lanes: [1, 2].map((laneNumber) => ({ laneNumber, accuracyClass: 'B+(7)' })),
})

/** The next batch with each call; no vehicle comes twice. */
function trafficFrom(begin: number): () => WireMeasurement[] {
  const random = randomFrom(8)
  let sequence = 0
  return () =>
    Array.from({ length: BATCH }, () => {
      sequence += 1
      return measured(passage(begin + sequence * 200, 2, random), sequence)
    })
}

function measured(it: Passage, sequence: number): WireMeasurement {
  const wheel = Math.round((it.load ?? 0) / it.axles / 2)
  const gap = Math.round((it.length * 0.7) / it.axles)
  return {
    sequence,
    createdAt: new Date(it.at).toISOString(),
    laneNumber: it.lane,
    plateLpr: it.plate,
    nationality: it.nationality,
    speed: it.speed,
    vehLength: it.length,
    ctg8p1: it.ctg8p1,
    ctg323: it.ctg323,
    axles:
      it.load === null
        ? null
        : Array.from({ length: it.axles }, (_, at) => ({ leftWeight: wheel, rightWeight: wheel, gap: at && gap })),
  }
}

async function copy(sql: Pool, vehicles: readonly NewVehicle[]): Promise<void> {
  await sql.begin(async (sql) => {
    const rows = await sql`copy vehicle (location_id, created_at, id, checkpoint_time, vms_readable_at, total_load,
      limit_total_load, overload_sa, overload_ma, overload_tl, lane_number, speed, speed_limit, veh_length, veh_height,
      limit_height, limit_length, number_of_axles, ctg8p1, ctg323, violations, plate_lpr, nationality) from stdin`.writable()
    await pipeline(Readable.from([vehicles.map(row).join('')]), rows)
    const details = await sql`copy vehicle_detail (location_id, created_at, id, accuracy_class, axles, axle_groups)
      from stdin`.writable()
    await pipeline(Readable.from([vehicles.map(detail).join('')]), details)
  })
}

const line = (values: readonly (Date | number | string | null | undefined)[]) =>
  `${values.map((value) => (value instanceof Date ? value.toISOString() : (value ?? '\\N'))).join('\t')}\n`

const tenths = (percent: number | null) => percent && Math.round(percent * 10)

const row = ({ measured: m, derived: d }: NewVehicle) =>
  line([
    ...[STATIONS.copy, m.createdAt, d.id, d.checkpointTime, d.plateVmsReadablePointAt, d.totalLoad, d.limitTotalLoad],
    ...[tenths(d.overloadSA), tenths(d.overloadMA), tenths(d.overloadTL), m.laneNumber, m.speed, d.speedLimit],
    ...[m.vehLength, m.vehHeight, d.limitHeight, d.limitLength, d.numberOfAxles, d.ctg8p1, d.ctg323, d.violations],
    ...[d.plateLpr, m.nationality],
  ])

const detail = ({ measured: m, derived: d }: NewVehicle) =>
  line([STATIONS.copy, m.createdAt, d.id, d.accuracyClass, `{${packAxles(d.axles)}}`, `{${packGroups(d.groups)}}`])
