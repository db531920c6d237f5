import type { WireOf } from './endpoint.ts'
import * as offenders from './offenders.ts'
import { reference } from './reference.ts'

type OffenderExample = WireOf<typeof offenders.read, 'response'>

const passageExample: OffenderExample['lastPassages'][number] = {
  id: 7696581398374,
  createdAt: '2026-10-12T10:00:00.000Z',
  location: { id: 7, shortName: 'S8 Emilianów' },
  plateLpr: 'WGM4K281',
  totalLoad: 37500,
  overload: false,
  excess: 0,
}

const inspectionExample: OffenderExample['inspections'][number] = {
  id: 1,
  number: 'K/1/2026/TES',
  state: 'closed',
  announcedAt: '2026-10-04T11:00:00.000Z',
  results: [9],
  confirmed: null,
}

export const offendersReference = reference('Repeat offenders', offenders, {
  list: {
    errors: { 400: ['start-after-end'], 422: ['purpose-missing'] },
    query: { limit: 100, until: '2026-10-12', locations: '7,8', orderBy: 'worst' },
    response: {
      content: [
        {
          passages: 12,
          overloads: 3,
          share: 25,
          worst: 30.8,
          lastSeen: '2026-10-12T19:12:00.000Z',
          vehicle: { id: 2, plate: 'WGM33841', country: 'PL', joined: 1 },
          offenderSince: '2026-10-12',
          carrier: null,
          vehicles: 1,
          weeks: [0, 0, 0, 0, 0, 0],
          inspections: 0,
          lastInspection: null,
        },
      ],
      totalCount: 16,
      totalOverloads: 68,
      countedUntil: '2026-10-20T08:00:00.000Z',
    },
  },
  read: {
    errors: { 404: ['offender-not-found'], 422: ['purpose-missing'] },
    params: { id: 2 },
    response: {
      passages: 14,
      overloads: 5,
      share: 35.7,
      worst: 30.8,
      lastSeen: '2026-10-12T10:00:00.000Z',
      id: 2,
      plate: 'WGM4K281',
      country: 'PL',
      carrier: { key: 'kW0u3mVtq1Zr8YdPn5xB2A', name: 'Trans-Pol', taxId: '1234563218' },
      firstSeen: '2026-09-28',
      offenderSince: '2026-10-02',
      spellings: [{ plate: 'WGM4K281', country: 'PL', passages: 12, readings: ['WGM4K281:PL'], joined: null }],
      months: [{ month: '2026-10', passages: 12, overloads: 4 }],
      lastPassages: [passageExample],
      stations: [{ location: { id: 7, shortName: 'S8 Emilianów' }, passages: 13, overloads: 5 }],
      inspections: [inspectionExample],
    },
  },
  readCarrier: {
    errors: { 404: ['offender-not-found'], 422: ['purpose-missing'] },
    query: { key: 'kW0u3mVtq1Zr8YdPn5xB2A' },
    response: {
      passages: 14,
      overloads: 5,
      share: 35.7,
      worst: 30.8,
      lastSeen: '2026-10-12T10:00:00.000Z',
      carrier: { key: 'kW0u3mVtq1Zr8YdPn5xB2A', name: 'Trans-Pol', taxId: '1234563218' },
      vehicles: [
        {
          passages: 14,
          overloads: 5,
          share: 35.7,
          worst: 30.8,
          lastSeen: '2026-10-12T10:00:00.000Z',
          id: 2,
          plate: 'WGM4K281',
          country: 'PL',
          joined: 2,
        },
      ],
      lastPassages: [passageExample],
      inspections: [inspectionExample],
    },
  },
  split: {
    errors: { 404: ['offender-not-found'], 422: ['spelling-not-joined'] },
    params: { id: 1 },
    body: { plate: 'WGM 4K28I' },
    response: { id: 2 },
  },
})
