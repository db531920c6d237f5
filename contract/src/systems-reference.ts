import type { z } from 'zod'
import type { WireOf } from './endpoint.ts'
import { reference } from './reference.ts'
import * as systems from './systems.ts'

const systemExample: z.input<typeof systems.system> = {
  name: 'GITD',
  locationIds: [7],
  rights: ['CurrentMeasurements', 'Stat'],
  plates: false,
  validUntil: '2026-12-31',
  id: 1,
  remark: null,
  state: 'revoked',
  created: { at: '2026-10-20T08:00:00.000Z', by: 'a.lipa' },
  renewedAt: '2026-10-20T08:00:00.000Z',
  lastSeenAt: null,
  revoked: { at: '2026-10-20T08:00:00.000Z', by: 'a.lipa' },
  manageable: true,
  version: 4,
}

const addExample: WireOf<typeof systems.add, 'response'> = {
  system: systemExample,
  key: '7s1mCw2yT0bVn4XkQeHfZr9aLdU6pJgW3iYo5xKuBtE',
}

export const systemsReference = reference('Other systems', systems, {
  add: {
    errors: {
      403: ['anonymization-stays', 'right-not-held'],
      409: ['system-name-taken'],
      422: ['expiry-in-the-past', 'location-not-found'],
    },
    body: {
      name: 'KAS',
      locationIds: [7, 7],
      rights: ['Stat', 'CurrentMeasurements'],
      plates: true,
      validUntil: '2026-12-31',
      remark: ' KAS Warszawa ',
    },
    response: addExample,
  },
  change: {
    errors: {
      403: ['anonymization-stays', 'right-not-held'],
      404: ['system-not-found'],
      409: ['changed-meanwhile', 'system-name-taken', 'system-revoked'],
      422: ['expiry-in-the-past', 'location-not-found'],
    },
    params: { id: 1 },
    body: {
      name: 'GITD',
      locationIds: [7],
      rights: ['CurrentMeasurements', 'Stat'],
      plates: false,
      validUntil: '2026-12-31',
      version: 1,
    },
    response: systemExample,
  },
  list: { response: [systemExample] },
  read: { errors: { 404: ['system-not-found'] }, params: { id: 3 }, response: systemExample },
  readSelf: {
    response: {
      name: 'KAS',
      locationIds: [7],
      rights: ['CurrentMeasurements', 'Stat'],
      plates: true,
      validUntil: '2026-12-31',
      id: 1,
    },
  },
  renew: {
    errors: { 403: ['anonymization-stays', 'right-not-held'], 404: ['system-not-found'], 409: ['system-revoked'] },
    params: { id: 1 },
    response: addExample,
  },
  revoke: {
    errors: { 403: ['anonymization-stays', 'right-not-held'], 404: ['system-not-found'], 409: ['system-revoked'] },
    params: { id: 1 },
    response: systemExample,
  },
})
