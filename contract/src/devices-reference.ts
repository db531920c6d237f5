import type { z } from 'zod'
import * as devices from './devices.ts'
import type { WireOf } from './endpoint.ts'
import { reference } from './reference.ts'

const deviceExample: z.input<typeof devices.device> = {
  name: 'Hala',
  locationIds: [7],
  columns: 2,
  anonymised: false,
  wanted: false,
  id: 1,
  remark: 'nad drzwiami',
  validUntil: '2026-12-31',
  state: 'active',
  created: { at: '2026-10-20T08:00:00.000Z', by: 'm.nowak' },
  renewedAt: '2026-10-20T08:00:00.000Z',
  lastSeenAt: null,
  revoked: null,
  manageable: true,
  version: 1,
}

const addExample: WireOf<typeof devices.add, 'response'> = {
  device: deviceExample,
  token: 'device_q0Yt3bTSXg0Cj8zPXGkYw2rKQm1c4b0eJYl6mW9fZ5s',
}

export const devicesReference = reference('Wall screens', devices, {
  add: {
    errors: {
      403: ['anonymization-stays', 'right-not-held'],
      409: ['device-name-taken'],
      422: ['device-hits-anonymised', 'expiry-in-the-past', 'location-not-found'],
    },
    body: {
      name: 'Hala',
      locationIds: [7, 7],
      columns: 2,
      anonymised: false,
      wanted: false,
      remark: ' nad drzwiami ',
      validUntil: '2026-12-31',
    },
    response: addExample,
  },
  change: {
    errors: {
      403: ['anonymization-stays', 'right-not-held'],
      404: ['device-not-found'],
      409: ['changed-meanwhile', 'device-name-taken', 'device-revoked'],
      422: ['device-hits-anonymised', 'expiry-in-the-past', 'location-not-found'],
    },
    params: { id: 1 },
    body: { name: 'Hala', locationIds: [7, 8], columns: 2, anonymised: false, wanted: false },
    response: deviceExample,
  },
  list: { response: [deviceExample] },
  read: { errors: { 404: ['device-not-found'] }, params: { id: 1 }, response: deviceExample },
  readSelf: { response: { name: 'Hala', locationIds: [7, 8], columns: 2, anonymised: false, wanted: false, id: 1 } },
  renew: {
    errors: { 403: ['anonymization-stays', 'right-not-held'], 404: ['device-not-found'], 409: ['device-revoked'] },
    params: { id: 1 },
    response: addExample,
  },
  revoke: {
    errors: { 403: ['anonymization-stays', 'right-not-held'], 404: ['device-not-found'], 409: ['device-revoked'] },
    params: { id: 1 },
    response: deviceExample,
  },
})
