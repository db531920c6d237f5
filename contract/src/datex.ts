import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { queryInts } from './wire.ts'

/** Vehicles of the last so many minutes are published. */
export const PUBLISHED_MINUTES = 5
/** Of these at most so many, the newest. */
export const MAX_PUBLISHED = 10_000

const published = { method: 'GET', binary: 'application/xml', system: true } as const

export const sites = endpoint({
  ...published,
  path: '/datex/sites',
  access: 'CurrentMeasurements',
  summary: 'Returns the lanes of open stations as measurement sites (DATEX II v3.7, MeasurementSiteTablePublication)',
})

export const measured = endpoint({
  ...published,
  path: '/datex/measured',
  access: 'CurrentMeasurements',
  summary: 'Returns the vehicles of the last 5 minutes, the newest 10,000 (DATEX II v3.7, MeasuredDataPublication)',
  query: z.object({ locations: queryInts.optional() }),
  looks: 'visit',
})

export const signs = endpoint({
  ...published,
  path: '/datex/signs',
  access: 'Vms',
  summary: 'Returns groups of signs as controllers (DATEX II v3.7, VmsTablePublication)',
})

export const signStatus = endpoint({
  ...published,
  path: '/datex/sign-status',
  access: 'Vms',
  summary:
    'Returns the state and text of signs, plates masked as `***` for those who get none (DATEX II v3.7, VmsPublication)',
  looks: 'visit',
})
