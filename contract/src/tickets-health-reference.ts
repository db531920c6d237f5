import type { z } from 'zod'
import { reference } from './reference.ts'
import * as ticketsHealth from './tickets-health.ts'
import { vehicleLocationExample } from './vehicle-reference.ts'

const healthEvidenceExample: z.input<typeof ticketsHealth.healthEvidence> = {
  lastVehicleTime: '2026-10-20T08:01:55.000Z',
  silentMinutes: 14,
  expectedVehicles: 28.2,
  vehicles: null,
  sharePercent: null,
  clockSeconds: null,
  deviationPercent: null,
}

const stationHealthExample: z.input<typeof ticketsHealth.stationHealth> = {
  location: vehicleLocationExample,
  lastVehicleTime: '2026-10-19T09:59:00.000Z',
  state: 'bad',
  level: 'failure',
  cells: [
    {
      kind: 'station-silent',
      level: 'failure',
      value: 80220,
      laneNumber: null,
      failures: [
        {
          laneNumber: null,
          lastVehicleTime: '2026-10-20T08:01:55.000Z',
          foundAt: '2026-10-20T08:12:00.000Z',
          ticket: { id: 1, number: '1/2026' },
        },
      ],
    },
  ],
  lanes: [{ laneNumber: 1, level: 'unknown' }],
  checks: [
    {
      kind: 'station-silent',
      laneNumber: null,
      state: 'bad',
      checkedAt: '2026-10-20T08:16:00.000Z',
      since: '2026-10-20T08:12:00.000Z',
      ticketId: 1,
      evidence: healthEvidenceExample,
    },
  ],
}

export const ticketsHealthReference = reference('Station health', ticketsHealth, {
  availability: {
    query: { year: 2026, month: 10 },
    response: {
      year: 2026,
      month: 10,
      asOf: '2026-10-29T13:37:00.000Z',
      watchedSince: '2026-09-01T00:00:00.000Z',
      contractPercent: null,
      signature: null,
      total: { countedMinutes: 99681, normalMinutes: 94280, percent: 94.5 },
      stations: [
        {
          countedMinutes: 41107,
          normalMinutes: 36546,
          percent: 88.9,
          location: vehicleLocationExample,
          stoppedMinutes: 0,
          unwatchedMinutes: 150,
          isBelowContract: null,
          days: ['failure', 'failure', 'normal', 'normal', 'failure', 'normal'],
        },
      ],
    },
  },
  availabilityReport: {
    query: { year: 2026, month: 10, reportType: 'csv' },
    response: { link: '/reports/q0Yt3bTSXg0Cj8zPXGkYw2rKQm1c4b0eJYl6mW9fZ5s' },
  },
  changeHealthSettings: {
    body: { autoOpen: true, autoClose: false, contractPercent: 98 },
    response: { autoOpen: true, autoClose: false, contractPercent: 98 },
  },
  health: { response: [stationHealthExample] },
  readHealthSettings: { response: { autoOpen: true, autoClose: true, contractPercent: null } },
})
