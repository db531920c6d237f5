import { reference } from './reference.ts'
import * as reports from './reports.ts'

export const reportsReference = reference('Reports', reports, {
  file: {
    errors: {
      403: ['plates-are-anonymised', 'step-up-required'],
      404: ['location-not-found', 'not-found', 'vehicle-not-found'],
      422: ['purpose-missing', 'too-many-vehicles-today', 'vehicles-deleted'],
      503: ['figures-not-derived', 'reports-busy'],
    },
    params: { token: 'q0Yt3bTSXg0Cj8zPXGkYw2rKQm1c4b0eJYl6mW9fZ5s' },
  },
})
