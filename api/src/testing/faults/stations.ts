import { createHash } from 'node:crypto'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { vehicleId, type WireMeasurement } from '@rogatka/contract/ingest.ts'
import { imagePath } from '../../core/image-path.ts'
import { car } from '../../ingest/testing.ts'
import { WANTED_PLATE } from './base.ts'
import type { History } from './history.ts'
import type { NetworkAnswer } from './network.ts'
import type { Owner } from './world.ts'

/** As stations do: a request without an answer is repeated. */
const TIMEOUT_MS = 5_000
const RETRY_MS = 500
const MAX_VEHICLES = 4

export type SentVehicle = { id: number; locationId: number; createdAt: string; plate: string; isAcknowledged: boolean }
export type SentImage = { path: string; id: number; sha256: string; isAcknowledged: boolean }
/** What stations have sent, by vehicle. */
export type SentItems = { vehicles: Map<number, SentVehicle>; images: SentImage[] }

type Batch = { measurements: WireMeasurement[]; accepted: number }
type BatchAnswer = { accepted: number; duplicates: number; rejected: unknown[] }

/** A station: sends batches and images, each until it is acknowledged, and some of them again, or changed. */
export async function runStation(
  history: History,
  { id, key }: { id: number; key: string },
  sent: SentItems,
): Promise<void> {
  const { world, base, scenario } = history
  const { random } = world
  const station: Owner = { name: `station${id}`, isAlive: true }
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }

  /** Until there is an answer that is no failure of the server; `onAnswer` sees each one. */
  async function sendUntilAnswered(
    request: { label: string; method: 'POST' | 'PUT'; url: string; payload: string | Buffer; type?: string },
    onAnswer: (answer: NetworkAnswer) => void | Promise<void>,
  ): Promise<NetworkAnswer> {
    const { type, ...rest } = request
    for (;;) {
      const portal = history.pick()
      const answer =
        portal &&
        (await history.send(
          station,
          portal,
          { ...rest, headers: { ...headers, ...(type && { 'content-type': type }) }, timeoutMs: TIMEOUT_MS },
          onAnswer,
        ))
      if (answer && answer.status < 500 && answer.status !== 429) return answer
      await world.wait(station, RETRY_MS)
    }
  }

  const sendBatch = (batch: Batch, label: string) =>
    sendUntilAnswered(
      { label, method: 'POST', url: `${API_BASE}/measurements`, payload: JSON.stringify(batch.measurements) },
      ({ status, body }) => (status === 200 ? checkAcknowledged(batch, body as BatchAnswer) : undefined),
    )

  /** At the moment of the answer all its vehicles have to be stored, and none may be counted as new twice. */
  async function checkAcknowledged(batch: Batch, { accepted, duplicates, rejected }: BatchAnswer) {
    batch.accepted += accepted
    const { measurements } = batch
    if (accepted + duplicates !== measurements.length || rejected.length > 0)
      world.violate(`station ${id}: ${measurements.length} sent, ${accepted} accepted, ${duplicates} duplicates`)
    if (batch.accepted > measurements.length) world.violate(`station ${id}: a vehicle was accepted twice`)
    const ids = measurements.map(({ sequence }) => vehicleId(id, sequence))
    for (const one of ids) (sent.vehicles.get(one) as SentVehicle).isAcknowledged = true
    const rows = await base.backends.ask('select from vehicle where location_id = $1 and id = any($2)', [id, ids])
    if (rows.length !== ids.length)
      world.violate(`station ${id}: ${ids.length} vehicles acknowledged, ${rows.length} of them stored`)
  }

  /** The same vehicle with another speed: refused, and no vehicle of its own. */
  async function sendChanged(batch: Batch) {
    const [first] = batch.measurements as [WireMeasurement]
    const changed = [{ ...first, speed: (first.speed ?? 0) + 1 }]
    const url = `${API_BASE}/measurements`
    await sendUntilAnswered(
      { label: 'changed', method: 'POST', url, payload: JSON.stringify(changed) },
      ({ status, body }) => {
        const { accepted, duplicates } = (body ?? {}) as BatchAnswer
        if (status === 200 && accepted + duplicates > 0)
          world.violate(`station ${id}: a changed vehicle was taken for the one that is stored`)
      },
    )
  }

  async function sendImage({ sequence, createdAt }: WireMeasurement) {
    const payload = random.pick(base.images)
    const sha256 = createHash('sha256').update(payload).digest('hex')
    const vehicle = vehicleId(id, sequence)
    const path = imagePath({ locationId: id, createdAt: new Date(createdAt), id: vehicle }, { type: 1, sha256 })
    const image: SentImage = { path, id: vehicle, sha256, isAcknowledged: false }
    sent.images.push(image)
    const url = `${API_BASE}/measurements/${sequence}/images/front?createdAt=${createdAt}`
    await sendUntilAnswered({ label: 'image', method: 'PUT', url, payload, type: 'image/jpeg' }, async ({ status }) => {
      const rows = await base.backends.ask('select from vehicle_image where id = $1', [vehicle])
      const hasFile = history.disk.has(path)
      // A failed request, too, must not leave a row without its file.
      if (rows.length > 0 && !hasFile) world.violate(`station ${id}: an image has a row without its file`)
      if (status !== 204) return
      image.isAcknowledged = true
      if (rows.length === 0 || !hasFile)
        world.violate(`station ${id}: image acknowledged, row ${rows.length}, file ${hasFile}`)
    })
  }

  let sequence = 1
  for (let count = 0; count < scenario.batches; count++) {
    await world.wait(station, random.below(2_500))
    const createdAt = new Date(world.nowMs()).toISOString()
    const measurements = Array.from({ length: 1 + random.below(MAX_VEHICLES) }, (_, index) =>
      car(sequence + index, {
        createdAt,
        laneNumber: 1 + random.below(2),
        speed: 60 + random.below(60),
        plateLpr: random.happens(0.2) ? WANTED_PLATE : `WX ${id}${sequence + index}`,
      }),
    )
    sequence += measurements.length
    for (const one of measurements)
      sent.vehicles.set(vehicleId(id, one.sequence), {
        id: vehicleId(id, one.sequence),
        locationId: id,
        createdAt,
        plate: (one.plateLpr ?? '').replaceAll(' ', ''),
        isAcknowledged: false,
      })
    const batch = { measurements, accepted: 0 }
    const image = scenario.features.images && random.happens(0.7) ? sendImage(measurements[0] as WireMeasurement) : null
    await sendBatch(batch, 'batch')
    if (random.happens(0.2)) await sendBatch(batch, 'again')
    if (random.happens(0.2)) await sendChanged(batch)
    await image
  }
}
