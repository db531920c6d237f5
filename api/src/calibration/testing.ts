import type { WireCalibrationFilters } from '@rogatka/contract/calibration.ts'
import type { WireMeasurement } from '@rogatka/contract/ingest.ts'
import { expect } from 'vitest'
import { send } from '../ingest/testing.ts'
import { type Client, type TestApi, testApi } from '../testing/test-api.ts'

export const HOUR = 3_600_000

/** The time so many hours after another. */
export const at = (text: string, hours = 0) => new Date(Date.parse(text) + hours * HOUR).toISOString()

/** A loaded tractor with a semi-trailer on a tridem, with this first-axle load in kg. */
export const tractor = (
  sequence: number,
  createdAt: string,
  firstAxle: number,
  differing: Partial<WireMeasurement> = {},
): WireMeasurement => ({
  sequence,
  createdAt,
  laneNumber: 1,
  speed: 85,
  ctg8p1: 9,
  ctg323: 5,
  axles: [
    { leftWeight: Math.floor(firstAxle / 2), rightWeight: Math.ceil(firstAxle / 2), gap: 0 },
    { leftWeight: 5_000, rightWeight: 5_000, gap: 374 },
    { leftWeight: 3_500, rightWeight: 3_500, gap: 567 },
    { leftWeight: 3_500, rightWeight: 3_500, gap: 131 },
    { leftWeight: 3_500, rightWeight: 3_500, gap: 131 },
  ],
  ...differing,
})

/** Start of the range of `filters`. */
export const FROM = '2026-10-01T22:00:00.000Z'

export const filters = (differing: Partial<WireCalibrationFilters> = {}): WireCalibrationFilters => ({
  dateTimeStart: FROM,
  dateTimeEnd: at(FROM, 14 * 24),
  statResolutionUnit: 'hour',
  statResolutionValue: 24,
  locations: '7',
  addGraph: false,
  ...differing,
})

/** A portal with a station, and a user who may calibrate. */
export async function portalWithStation(): Promise<{
  api: TestApi
  station: Client
  user: Awaited<ReturnType<TestApi['as']>>
}> {
  const api = await testApi()
  return { api, station: await api.station(), user: await api.as('UserManagement') }
}

/** Sends tractors evenly over `hours`, with the loads in rotation. */
export async function sendTractors(
  station: Client,
  count: number,
  from: string,
  hours: number,
  loads: readonly number[],
  firstSequence = 1,
) {
  const vehicles = Array.from({ length: count }, (_, i) =>
    tractor(firstSequence + i, at(from, (hours * i) / count), loads[i % loads.length] as number),
  )
  const { body } = await send(station, vehicles)
  expect(body).toMatchObject({ accepted: count, rejected: [] })
}
