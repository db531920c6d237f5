import type { z } from 'zod'
import * as locations from './locations.ts'
import { reference } from './reference.ts'

const locationExample: z.input<typeof locations.location> = {
  id: 12,
  shortName: 'S8 Emilianów',
  name: 'Radzymin, węzeł',
  roadNumber: 'S8',
  chainage: '12+300',
  direction: 'Warszawa',
  lanes: [{ laneNumber: 1, accuracyClass: { name: 'B+(7)' } }],
  lastVehicleTime: null,
  distanceToSign: 1200,
  distanceToCheckpoint: 5400,
  chainageAscends: true,
  latitude: 52.4187,
  longitude: 21.1864,
  silentAfterMinutes: 30,
  closedAt: null,
}

export const locationsReference = reference('Stations', locations, {
  list: { response: [locationExample] },
})
