import type { z } from 'zod'
import { reference } from './reference.ts'
import * as vehicle from './vehicle.ts'
import { weighingExample } from './vehicle-weighing-reference.ts'

export const vehicleLocationExample: z.input<typeof vehicle.vehicleLocation> = {
  id: 7,
  shortName: 'S8 Emilianów',
  name: 'Radzymin, węzeł',
  roadNumber: 'S8',
  chainage: '1+000',
  direction: 'Warszawa',
}

export const axleExample: z.input<typeof vehicle.axle> = {
  type: 1,
  totalLoad: 7400,
  minTotalLoad: 6667,
  maxTotalLoad: 8315,
  leftWeight: 3700,
  rightWeight: 3700,
  gap: 0,
  limitTotalLoad: 10000,
  overload: 0,
}

export const vehicleExample: z.input<typeof vehicle.vehicle> = {
  id: 7696581394433,
  createdAt: '2026-10-20T07:59:58.000Z',
  checkpointTime: '2026-10-20T08:03:43.000Z',
  plateVmsReadablePointAt: '2026-10-20T08:00:43.000Z',
  location: vehicleLocationExample,
  lane: { laneNumber: 1, accuracyClass: { name: 'B+(7)' } },
  plateLpr: 'WGM4K281',
  nationality: 'PL',
  speed: 80,
  speedLimit: 80,
  overspeed: false,
  totalLoad: 42000,
  limitTotalLoad: 40000,
  ctg8p1: 9,
  ctg323: 5,
  overload: false,
  overloadSA: 0,
  overloadMA: 0,
  overloadTL: 0,
  overheight: false,
  vehHeight: 390,
  limitHeight: 400,
  vehLength: 1650,
  limitLength: 1650,
  numberOfAxles: 5,
  wrongDirection: false,
  overlane: false,
  axles: [axleExample],
  axlesComplex: {
    minTotalLoad: 39252,
    totalLoad: 42000,
    maxTotalLoad: 45161,
    axlesGroups: [
      {
        type: 1,
        totalLoad: 7400,
        minTotalLoad: 6667,
        maxTotalLoad: 8315,
        limitTotalLoad: 10000,
        overload: 0,
        axles: [1],
      },
    ],
  },
  euro: null,
  images: [
    {
      number: 1,
      type: 'front',
      path: '/vehicle-images/sharp/7696581394433/2026-10-20T07:59:58.000Z/front/84489431547265b6bf463328bffed0ed24bac0a14ce86e5afeefcf83ec26e068/EufYQ7cmCj9EDBmGofm4tg',
    },
  ],
  shapeSamples: [40, 150, 90],
  tags: [],
  inspection: { id: 1, number: 'K/1/2026/TES', state: 'closed', isVisible: true },
  weighing: { ...weighingExample, number: 'K/1/2026/TES', at: '2026-10-20T08:00:00.000Z' },
}

export const euroExample: z.input<typeof vehicle.euro> = {
  make: 'Scania',
  model: 'R450',
  production_date: '2021-04-01',
  catalogue_number: 'S-1',
}

export const vehicleReference = reference('Live vehicles', vehicle, {
  imageVersion: {
    errors: { 404: ['image-not-found'] },
    params: {
      viewer: 'sharp',
      id: 7696581394433,
      createdAt: '2026-10-20T07:59:58.000Z',
      type: 'front',
      sha256: '0b1f3d5a79c24e680b1f3d5a79c24e680b1f3d5a79c24e680b1f3d5a79c24e68',
      signature: 'q0Yt3bTSXg0Cj8zPXGkYw2',
      version: 'thumbnail',
    },
  },
})

/** Of an image of a vehicle, in the live list and in the archive. */
export const imageReference = {
  errors: { 404: ['image-not-found', 'vehicle-not-found'] },
  params: { id: 7696581394433, number: 1 },
} as const

/** Of the tags of a vehicle, in the live list and in the archive. */
export const tagsReference = {
  errors: { 404: ['vehicle-not-found'] },
  params: { id: 7696581394433 },
  query: { locationId: 7, createdAt: '2026-10-20T08:00:00.000Z' },
} as const

const SEARCH_ID = 'b7FKvXQ0S0yXx1m2d3e4fA'
const searchExpiry = '2026-10-20T20:00:00.000Z'

/** Of saving a search by plate, with these filters. */
export const saveSearchReference = <F extends object>(filters: F) =>
  ({
    errors: { 403: ['plates-are-anonymised'], 404: ['search-not-found'], 409: ['conflict'] },
    body: { searchId: SEARCH_ID, filters },
    response: { searchId: SEARCH_ID, expiresAt: searchExpiry },
  }) as const

/** Of opening it. */
export const openSearchReference = <F extends object>(filters: F) =>
  ({
    errors: { 403: ['plates-are-anonymised'], 404: ['search-not-found'] },
    params: { id: SEARCH_ID },
    response: { filters, expiresAt: searchExpiry },
  }) as const
