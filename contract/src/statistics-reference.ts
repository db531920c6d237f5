import type { z } from 'zod'
import { reference } from './reference.ts'
import * as statistics from './statistics.ts'
import { vehicleLocationExample } from './vehicle-reference.ts'

const statisticExample: z.input<typeof statistics.statistic> = {
  location: vehicleLocationExample,
  graph: 'iVBORw0KGgo=',
  labelPeriods: 'Okres',
  groups: [{ value: '1', labelSeriesValue: 'Pas 1', series: [5, 0], summary: 5 }],
  periods: [{ start: '2026-10-20T04:00:00.000Z', label: '20.10.2026 06:00', summary: 200 }],
  summary: 200,
}

export const statisticsReference = reference('Statistics', statistics, {
  report: {
    errors: {
      400: ['resolution-too-small', 'unknown-statistic'],
      404: ['location-not-found'],
      422: ['report-too-large', 'start-after-end', 'too-many-hours-to-count', 'too-many-periods', 'vehicles-deleted'],
    },
    query: {
      dateTimeStart: '2026-10-19T22:00:00.000Z',
      dateTimeEnd: '2026-10-20T06:00:00.000Z',
      locations: '7,9',
      statResolutionUnit: 'hour',
      statResolutionValue: 1,
    },
    response: { link: '/reports/q0Yt3bTSXg0Cj8zPXGkYw2rKQm1c4b0eJYl6mW9fZ5s' },
  },
  stat: {
    errors: {
      400: ['resolution-too-small', 'unknown-statistic'],
      404: ['location-not-found'],
      422: ['start-after-end', 'too-many-hours-to-count', 'too-many-periods', 'vehicles-deleted'],
    },
    query: {
      dateTimeStart: '2026-10-20T04:00:00.000Z',
      dateTimeEnd: '2026-10-20T06:00:00.000Z',
      locations: '7',
      statResolutionUnit: 'hour',
      statResolutionValue: 1,
      addGraph: true,
    },
    response: [statisticExample],
  },
})
