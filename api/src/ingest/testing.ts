import { post, putImage, type WireMeasurement } from '@rogatka/contract/ingest.ts'
import type { ImageType } from '@rogatka/contract/vehicle.ts'
import sharp from 'sharp'
import type { Client } from '../testing/test-api.ts'

/** A car detected just before the initial time of the test clock; each `sequence` is another car. */
export const car = (sequence: number, overrides: Partial<WireMeasurement> = {}): WireMeasurement => ({
  sequence,
  createdAt: '2026-10-20T07:59:58.000Z',
  laneNumber: 1,
  plateLpr: `WX ${10_000 + sequence}`,
  nationality: 'PL',
  speed: 90,
  vehLength: 450,
  vehHeight: 150,
  ctg8p1: 7,
  ctg323: 1,
  axles: [
    { leftWeight: 400, rightWeight: 410, gap: 0 },
    { leftWeight: 350, rightWeight: 340, gap: 260 },
  ],
  shapeSamples: [40, 150, 90],
  ...overrides,
})

/** Sends values as a JSON array of measurements. */
export const send = (station: Client, vehicles: readonly unknown[], headers: Record<string, string> = {}) =>
  sendText(station, JSON.stringify(vehicles), { 'content-type': 'application/json', ...headers })

export const sendText = (station: Client, payload: string | Buffer, headers: Record<string, string>) =>
  station.call(post, { payload, headers })

/** A JPEG of one colour; each shade is another image. */
export const jpeg = (shade = 80, width = 64): Promise<Buffer> =>
  sharp({ create: { width, height: 48, channels: 3, background: { r: shade, g: 90, b: 120 } } })
    .jpeg()
    .toBuffer()

/** Sends one image of a vehicle. */
export const sendImage = (
  station: Client,
  { sequence, createdAt }: WireMeasurement,
  type: ImageType,
  payload: Buffer,
  contentType = 'image/jpeg',
) =>
  station.call(putImage, {
    params: { sequence, type },
    query: { createdAt },
    payload,
    headers: { 'content-type': contentType },
  })

/** Path and code of each error. */
export const errorCodes = (errors: { path: string | null; code: string }[]) =>
  errors.map(({ path, code }) => `${path}: ${code}`)
