import { setTimeout as pause } from 'node:timers/promises'
import { addLocation, createStationKey } from '@rogatka/api/locations/queries.ts'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { detail, upload } from '@rogatka/contract/imports.ts'
import { post, type WireMeasurement } from '@rogatka/contract/ingest.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { type Comparison, isQuick } from './bench.ts'
import { startBenchPortal } from './bench-portal.ts'
import { openConnection, postRequest } from './http-connection.ts'
import { signIn } from './sign-in.ts'
import { benchStation, trafficFrom } from './traffic.ts'

const VEHICLES = isQuick ? 5_000 : 50_000
const BATCH = 500
const STATIONS = { ingest: 1, file: 2 }
const POLL_MS = 20

export const bench: Comparison = {
  summary: `A run of an import of ${VEHICLES.toLocaleString('en')} vehicles as JSON lines, uploaded and tried before, against the same number sent by one station in batches of ${BATCH}. Vehicles are a day old. The trial is measured apart: it writes nothing. Left out: live lists, images, other imports and stations at the same time, TLS and a proxy`,
  goal: 'a run at 0.5 of the posts or more',
  unit: 'vehicles',
  rounds: 3,
  async prepare() {
    const { portal, url: _, db } = await startBenchPortal()
    for (const [name, id] of Object.entries(STATIONS)) await addLocation(db, benchStation(id, name))
    const key = await createStationKey(db, STATIONS.ingest, new Date())
    const token = await signIn(db)
    const begin = Date.now() - DAY_MS
    const [sent, filed] = [8, 9].map((seed) => trafficFrom(seed, (sequence) => begin + sequence * 20))
    const connection = await openConnection(Number(new URL(portal.url).port))
    const call = async (method: string, path: string, body?: string) => {
      const response = await fetch(`${portal.url}${API_BASE}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/octet-stream' }) },
        ...(body && { body }),
      })
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
      return (await response.json()) as { id: number; state: string; written: number; trial: { new: number } | null }
    }
    const until = async (id: number, state: string) => {
      for (;;) {
        const found = await call('GET', detail.path.replace(':id', String(id)))
        if (found.state === state) return found
        if (found.state === 'failed') throw new Error(JSON.stringify(found))
        await pause(POLL_MS)
      }
    }
    const lineOf = (vehicle: WireMeasurement) => JSON.stringify({ locationId: STATIONS.file, ...vehicle })
    const uploadNext = (vehicles: readonly WireMeasurement[] = filed?.(VEHICLES) ?? []) =>
      call('POST', `${upload.path}?fileName=bench.jsonl`, vehicles.map(lineOf).join('\n'))
    let requests: Buffer[] = []
    let tried = 0

    return {
      contenders: [
        {
          name: `POST in batches of ${BATCH}, one station`,
          before: async () => {
            requests = Array.from({ length: VEHICLES / BATCH }, () =>
              postRequest(API_BASE + post.path, sent?.(BATCH), { authorization: `Bearer ${key}` }),
            )
          },
          run: async () => {
            for (const request of requests) await connection.send(request)
            return VEHICLES
          },
        },
        {
          name: 'run of an import',
          before: async () => {
            tried = (await uploadNext()).id
            await until(tried, 'checked')
          },
          run: async () => {
            await call('POST', `/imports/${tried}/run?revision=1`)
            return (await until(tried, 'done')).written
          },
        },
        {
          name: 'upload and trial',
          run: async () => (await until((await uploadNext()).id, 'checked')).trial?.new ?? 0,
        },
      ],
      clear: async () => {
        connection.close()
        await db.end(2_000)
        await portal.stop()
      },
    }
  },
}
