import type { WireMeasurement } from '@rogatka/contract/ingest.ts'
import { expect, test } from 'vitest'
import { detectionsBetween } from './detection.ts'
import { ctg8p1Of, isHeavy } from './kinds.ts'
import type { Outbox, PendingImage } from './outbox.ts'
import { trafficRandom } from './random.ts'
import { sampleStation } from './sample.ts'
import { deliveryDelays, runStation } from './station.ts'

const heavyCategories = new Set(
  Object.entries(ctg8p1Of).flatMap(([kind, category]) => (isHeavy(kind as keyof typeof ctg8p1Of) ? [category] : [])),
)

test('a station delivers at once, images mostly first, and sometimes all at once after a delay', () => {
  const nextDelivery = deliveryDelays(trafficRandom('line'))
  const start = 1_000_000
  const deliveries = Array.from({ length: 8_000 }, (_, i) => ({
    now: start + i * 4_000,
    ...nextDelivery(start + i * 4_000),
  }))
  const prompt = deliveries.filter(({ now, vehicleAt }) => vehicleAt - now < 5_000)
  const held = deliveries.filter(({ now, vehicleAt }) => vehicleAt - now >= 60_000)

  expect(prompt.length + held.length).toBe(deliveries.length)
  expect(prompt.filter(({ vehicleAt, imagesAt }) => imagesAt < vehicleAt).length / prompt.length).toBeCloseTo(0.75, 1)
  expect(held.length).toBeGreaterThan(10)
  expect(new Set(held.map(({ vehicleAt }) => vehicleAt)).size).toBeLessThan(held.length)
  for (const { now, vehicleAt, imagesAt } of deliveries)
    expect(Math.min(vehicleAt, imagesAt)).toBeGreaterThanOrEqual(now)
})

test('a station that was offline delivers all vehicles, and images of new heavy ones', async () => {
  const from = new Date(Date.now() - 3 * 3_600_000)
  const stop = new AbortController()
  const vehicles: WireMeasurement[] = []
  const images: PendingImage[] = []
  const outbox: Outbox = {
    vehicle: (vehicle) => void vehicles.push(vehicle),
    image: (image) => void images.push(image),
    run: async () => undefined,
    waiting: () => ({ vehicles: 0, images: 0 }),
  }
  const expected = [...detectionsBetween(sampleStation, from, new Date())].map(({ sequence }) => sequence)
  const imagesSince = new Date(Date.now() - 5 * 60_000)
  const running = runStation(sampleStation, outbox, { from, imagesSince }, trafficRandom('life'), stop.signal)
  while (vehicles.length < expected.length) await new Promise((resolve) => setTimeout(resolve, 5))
  stop.abort()
  await running

  expect(vehicles.slice(0, expected.length).map(({ sequence }) => sequence)).toEqual(expected)
  for (const { vehicle } of images) {
    expect(Date.parse(vehicle.createdAt)).toBeGreaterThan(imagesSince.getTime())
    if (Date.now() - Date.parse(vehicle.createdAt) > 60_000) expect([...heavyCategories, 6]).toContain(vehicle.ctg8p1)
  }
})
