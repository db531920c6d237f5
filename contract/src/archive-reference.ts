import * as archive from './archive.ts'
import type { WireOf } from './endpoint.ts'
import { reference } from './reference.ts'
import {
  imageReference,
  openSearchReference,
  saveSearchReference,
  tagsReference,
  vehicleExample,
  vehicleLocationExample,
} from './vehicle-reference.ts'

const foundPlatesExample: WireOf<typeof archive.plates, 'response'> = {
  content: [
    {
      plateLpr: 'GR7K201',
      detections: 1,
      last: {
        id: 7696581394433,
        createdAt: '2026-10-20T07:59:58.000Z',
        nationality: 'PL',
        location: vehicleLocationExample,
      },
    },
  ],
}

export const archiveReference = reference('Archive', archive, {
  addTag: {
    errors: { 404: ['vehicle-not-found'] },
    params: { id: 7696581394433 },
    query: { locationId: 7, createdAt: '2026-10-19T08:00:01Z' },
    body: { description: 'x' },
    response: { id: 1, private: true, type: 1, data: null, description: 'Normal tag' },
  },
  detail: {
    errors: { 404: ['vehicle-not-found'] },
    params: { id: 7696581394433 },
    query: { locationId: 7, createdAt: '2026-10-20T07:59:58.000Z' },
    response: vehicleExample,
  },
  exportMonth: {
    errors: { 404: ['location-not-found'], 503: ['reports-busy'] },
    query: { locationId: 7, month: '2026-10' },
  },
  findPlates: {
    errors: { 403: ['plates-are-anonymised'] },
    body: { beginning: 'gr' },
    response: foundPlatesExample,
  },
  history: {
    errors: { 403: ['plates-are-anonymised'], 404: ['vehicle-not-found'], 422: ['purpose-missing'] },
    params: { id: 7696581394433 },
    query: { locationId: 7, createdAt: '2026-10-20T08:00:00.000Z', limit: 100 },
    response: {
      plateLpr: 'WGM4K281',
      nationality: 'PL',
      from: '2026-07-22T08:00:01.000Z',
      content: [{ ...vehicleExample, likeness: 100 }],
      totalCount: 1,
      overloaded: 0,
    },
  },
  historyReport: {
    errors: {
      403: ['plates-are-anonymised'],
      404: ['vehicle-not-found'],
      422: ['purpose-missing', 'report-too-large'],
    },
    params: { id: 7696581394433 },
    query: { locationId: 7, createdAt: '2026-10-20T08:00:00.000Z', reportType: 'pdf' },
    response: { link: '/reports/q0Yt3bTSXg0Cj8zPXGkYw2rKQm1c4b0eJYl6mW9fZ5s' },
  },
  image: {
    ...imageReference,
    query: { locationId: 7, createdAt: '2026-10-20T08:00:00.000Z', scale: 0.5 },
  },
  openSearch: openSearchReference({ plateLpr: 'GR7K201', similarity: 85 }),
  plates: {
    errors: { 400: ['plate-in-address'], 403: ['plates-are-anonymised'], 422: ['purpose-missing'] },
    query: { beginning: 'gr' },
    response: foundPlatesExample,
  },
  removeTag: {
    errors: { 404: ['tag-not-found', 'vehicle-not-found'] },
    params: { id: 7696581394433, tagId: 3 },
    query: { locationId: 7, createdAt: '2026-10-20T07:59:58.000Z' },
  },
  report: {
    errors: {
      400: ['min-greater-than-max', 'plate-in-address', 'start-after-end'],
      403: ['plates-are-anonymised', 'step-up-required'],
      404: ['search-not-found', 'vehicle-not-found'],
      422: ['purpose-missing', 'report-too-large'],
    },
    query: {
      dateTimeStart: '2026-10-20T00:00:00Z',
      dateTimeEnd: '2026-10-21T00:00:00Z',
      locations: 7,
      reportType: 'csv',
      orderDirection1: 'asc',
    },
    response: { link: '/reports/q0Yt3bTSXg0Cj8zPXGkYw2rKQm1c4b0eJYl6mW9fZ5s' },
  },
  saveSearch: saveSearchReference({ plateLpr: 'GR7K201', similarity: 85 }),
  search: {
    errors: {
      400: ['min-greater-than-max', 'plate-in-address', 'start-after-end'],
      403: ['plates-are-anonymised'],
      404: ['search-not-found'],
      422: ['purpose-missing'],
    },
    query: {
      dateTimeStart: '2026-09-29T10:00:00.000Z',
      dateTimeEnd: '2026-10-03T22:00:00.000Z',
      locations: [3, 5, 7],
      limit: 1,
      minTotalLoad: 1,
      withAxles: true,
      withImages: true,
    },
    response: { content: [vehicleExample], totalCount: 1086 },
  },
  tags: { ...tagsReference, response: [] },
})
