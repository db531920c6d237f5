import type { z } from 'zod'
import type { WireOf } from './endpoint.ts'
import * as locationsUpkeep from './locations-upkeep.ts'
import { reference } from './reference.ts'

const newStationExample = {
  shortName: 'S8 Radzymin',
  name: 'Radzymin, węzeł',
  roadNumber: 'S8',
  chainage: '12+300',
  direction: 'Warszawa',
  speedLimit: 120,
  speedLimitHeavy: 80,
  distanceToSign: 1200,
  distanceToCheckpoint: 5400,
  chainageAscends: true,
  latitude: 52.4187,
  longitude: 21.1864,
  silentAfterMinutes: null,
  overheightAlarm: false,
  lanes: ['B+(7)', null],
} satisfies Partial<WireOf<typeof locationsUpkeep.addStation, 'body'>>

const stationExample: z.input<typeof locationsUpkeep.station> = {
  ...newStationExample,
  id: 12,
  closedAt: null,
  addedAt: '2026-10-20T08:00:00.000Z',
  lastVehicleTime: '2026-10-20T07:59:58.000Z',
  validKeys: 1,
  version: 1,
}

const stationKeyExample: z.input<typeof locationsUpkeep.stationKey> = {
  id: 1,
  created: { at: '2026-10-20T08:00:00.000Z', by: 'a.lipa' },
  validUntil: null,
  lastUsedAt: null,
  revoked: { at: '2026-10-20T08:00:00.000Z', by: 'a.lipa', reason: 'Skradziona szafa' },
  state: 'revoked',
}

export const locationsUpkeepReference = reference('Stations', locationsUpkeep, {
  addStation: {
    errors: { 400: ['coordinates-incomplete'], 409: ['station-name-taken', 'station-number-taken'] },
    body: { id: 12, ...newStationExample },
    response: stationExample,
  },
  addStationKey: {
    errors: { 404: ['location-not-found'], 409: ['station-closed'], 422: ['expiry-in-the-past'] },
    params: { id: 12 },
    body: { validUntil: '2026-10-20' },
    response: { key: stationKeyExample, secret: 'q0Yt3bTSXg0Cj8zPXGkYw2rKQm1c4b0eJYl6mW9fZ5s' },
  },
  changeStation: {
    errors: {
      400: ['coordinates-incomplete'],
      404: ['location-not-found'],
      409: ['changed-meanwhile', 'lane-in-use', 'station-name-taken'],
    },
    params: { id: 12 },
    body: {
      shortName: 'S8 Emilianów',
      name: 'Radzymin, węzeł',
      roadNumber: 'S8',
      chainage: '12+300',
      direction: 'Warszawa',
      speedLimit: null,
      speedLimitHeavy: 80,
      distanceToSign: 1200,
      distanceToCheckpoint: 5400,
      chainageAscends: true,
      latitude: 52.4187,
      longitude: 21.1864,
      silentAfterMinutes: null,
      overheightAlarm: false,
      lanes: ['B+(7)'],
      version: 1,
    },
    response: stationExample,
  },
  closeStation: {
    errors: { 404: ['location-not-found'], 409: ['station-closed'] },
    params: { id: 5 },
    body: { reason: 'przebudowa' },
    response: stationExample,
  },
  reopenStation: {
    errors: { 404: ['location-not-found'], 409: ['station-open'] },
    params: { id: 3 },
    response: stationExample,
  },
  revokeStationKey: {
    errors: { 404: ['location-not-found', 'station-key-not-found'], 409: ['station-key-revoked'] },
    params: { id: 12, keyId: 1 },
    body: { reason: 'Skradziona szafa' },
    response: stationKeyExample,
  },
  stationKeys: { errors: { 404: ['location-not-found'] }, params: { id: 12 }, response: [stationKeyExample] },
  stations: { response: [stationExample] },
})
