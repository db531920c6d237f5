import { createApp } from '@rogatka/api/app.ts'
import { readConfig } from '@rogatka/api/config.ts'
import { daysBetween } from '@rogatka/api/core/partitions.ts'
import type { NewVehicle } from '@rogatka/api/ingest/queries.ts'
import { createStationCache } from '@rogatka/api/ingest/station.ts'
import { createVehicleStore } from '@rogatka/api/ingest/store.ts'
import { addLocation, createStationKey } from '@rogatka/api/locations/queries.ts'
import { ensureVehiclePartitions } from '@rogatka/api/vehicle/maintenance.ts'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { post } from '@rogatka/contract/ingest.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { packAxles, packGroups } from '@rogatka/domain/vehicle/pack.ts'
import { type Comparison, type Contender, isQuick } from './bench.ts'
import { copyIn } from './copy.ts'
import { benchDatabase } from './database.ts'
import { deriveVehicle } from './derive.ts'
import { benchStation, trafficFrom } from './traffic.ts'

const BATCH = 500
const BATCHES = isQuick ? 4 : 10
const STATIONS = { copy: 1, statement: 2, http: 3 }

export const bench: Comparison = {
  summary: `Vehicles sent by a station over HTTP, stored with all derived data, against one bare COPY of ${(BATCH * BATCHES).toLocaleString('en')} derived vehicles into the same tables and indexes`,
  goal: 'at least 0.25 of the bare COPY in batches of 500',
  unit: 'vehicles',
  rounds: 5,
  async prepare() {
    const { db, url, drop } = await benchDatabase()
    const config = { ...readConfig({ DATABASE_URL: url, LOG_LEVEL: 'silent' }), demo: false }
    const app = await createApp(config, db)
    const address = await app.api.http.listen({ host: '127.0.0.1', port: 0 })
    for (const [name, id] of Object.entries(STATIONS)) await addLocation(db, benchStation(id, name))
    const key = await createStationKey(db, STATIONS.http, new Date())
    // Since yesterday, so not live, like a backlog of a station.
    const begin = Date.now() - DAY_MS
    await ensureVehiclePartitions(db, daysBetween(new Date(begin), new Date()), 'month')
    const traffic = trafficFrom(8, (sequence) => begin + sequence * 200)
    const cachedStation = createStationCache(db)
    const storeVehicles = createVehicleStore(db, 'month')

    const deriveBatch = async (id: number): Promise<NewVehicle[]> => {
      const cached = await cachedStation(id, new Date())
      return traffic(BATCH).map((wire) => deriveVehicle(wire, cached, config.overloadBasis))
    }
    const send = async (vehicles: number) => {
      const response = await fetch(address + API_BASE + post.path, {
        method: post.method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(traffic(vehicles)),
      })
      const { accepted } = (await response.json()) as { accepted: number }
      if (accepted !== vehicles) throw new Error(`${accepted} of ${vehicles}`)
      return vehicles
    }
    const postContender = (vehicles: number, times: number, concurrency = 1): Contender => ({
      name: `POST, batches of ${vehicles}${concurrency > 1 ? `, ${concurrency} concurrent requests` : ''}`,
      run: async () => {
        const sender = async () => {
          for (let done = 0; done < times / concurrency; done++) await send(vehicles)
        }
        await Promise.all(Array.from({ length: concurrency }, sender))
        return vehicles * times
      },
    })

    return {
      contenders: [
        {
          name: 'bare COPY of rows and details',
          run: async () => {
            const vehicles: NewVehicle[] = []
            for (let batch = 0; batch < BATCHES; batch++) vehicles.push(...(await deriveBatch(STATIONS.copy)))
            await copy(url, vehicles)
            return vehicles.length
          },
        },
        {
          name: 'ingest statement alone, batches of 500',
          run: async () => {
            for (let batch = 0; batch < BATCHES; batch++)
              await storeVehicles(STATIONS.statement, await deriveBatch(STATIONS.statement), new Date())
            return BATCH * BATCHES
          },
        },
        postContender(BATCH, BATCHES),
        postContender(50, BATCHES * 5),
        postContender(1, BATCHES * 20),
        postContender(1, BATCHES * 40, 8),
      ],
      clear: async () => {
        await app.close()
        await drop()
      },
    }
  },
}

const copy = (url: string, vehicles: readonly NewVehicle[]): Promise<void> =>
  copyIn(url, [
    {
      into: `vehicle (location_id, created_at, id, checkpoint_time, vms_readable_at, total_load,
      limit_total_load, overload_sa, overload_ma, overload_tl, lane_number, speed, speed_limit, veh_length, veh_height,
      limit_height, limit_length, number_of_axles, ctg8p1, ctg323, violations, plate_lpr, nationality)`,
      rows: vehicles.map(row).join(''),
    },
    {
      into: 'vehicle_detail (location_id, created_at, id, accuracy_class, axles, axle_groups)',
      rows: vehicles.map(detail).join(''),
    },
  ])

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
