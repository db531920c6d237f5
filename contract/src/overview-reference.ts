import type { z } from 'zod'
import * as overview from './overview.ts'
import { reference } from './reference.ts'

const overviewStationExample: z.input<typeof overview.overviewStation> = {
  locationId: 7,
  lastMessageAt: '2026-10-20T07:56:00.000Z',
  silentSince: null,
  silentAfterMinutes: 30,
  perHour: { vehicles: 29, usual: { median: 20, low: 20, high: 20, days: 3 }, unusual: null },
  overloaded: { weighed: 20, percent: 25, usual: 10 },
  signs: null,
  wanted: 0,
  tickets: null,
}

export const overviewReference = reference('Overview', overview, {
  overview: { response: { at: '2026-10-20T08:00:11.000Z', missing: [], stations: [overviewStationExample] } },
})
