import * as current from './current.ts'
import { reference } from './reference.ts'
import {
  imageReference,
  openSearchReference,
  saveSearchReference,
  tagsReference,
  vehicleExample,
} from './vehicle-reference.ts'

export const currentReference = reference('Live vehicles', current, {
  addTag: {
    errors: { 404: ['vehicle-not-found'] },
    params: { id: 7696581394434 },
    query: { locationId: 7 },
    body: { data: 'a' },
    response: { id: 1, private: true, type: 1, data: 'a', description: 'Normal tag' },
  },
  check: {
    errors: {
      400: ['plate-in-address'],
      403: ['plates-are-anonymised'],
      404: ['search-not-found'],
      422: ['purpose-missing'],
    },
    query: { lastId: 7696581394433, ctg8p1: '9' },
    response: { refresh: false },
  },
  counters: {
    errors: {
      400: ['plate-in-address'],
      403: ['plates-are-anonymised'],
      404: ['search-not-found'],
      422: ['purpose-missing'],
    },
    query: { overspeed: true, locations: '7' },
    response: [{ locationId: 7, vehicles: 1, lastVehicleTime: '2026-10-20T07:59:58.000Z' }],
  },
  detail: {
    errors: { 404: ['vehicle-not-found'] },
    params: { id: 7696581394433 },
    query: { locationId: 7, createdAt: '2026-10-20T07:59:58.000Z' },
    response: {
      ...vehicleExample,
      plateVms: {
        available: false,
        scenarioEnabled: false,
        contentDisplayed: false,
        allTrucksDisplayed: false,
        vehicle: null,
      },
      manageable: false,
    },
  },
  image: {
    ...imageReference,
    query: { locationId: 7, createdAt: '2026-10-20T08:00:00.000Z', scale: 0.3 },
  },
  list: {
    errors: {
      400: ['plate-in-address'],
      403: ['plates-are-anonymised'],
      404: ['search-not-found'],
      422: ['purpose-missing'],
    },
    query: {
      locations: '7',
      withAxles: true,
      withImages: true,
      withShapeSamples: true,
      withTags: true,
      withDataImages: true,
    },
    response: { content: [vehicleExample], lastId: 7696581394433 },
  },
  openSearch: openSearchReference({ plateLpr: 'GR7K201' }),
  removeTag: {
    errors: { 404: ['tag-not-found', 'vehicle-not-found'] },
    params: { id: 7696581394433, tagId: 1 },
    query: { locationId: 7 },
  },
  report: {
    errors: { 403: ['step-up-required'], 404: ['vehicle-not-found'], 422: ['purpose-missing'] },
    params: { id: 7696581394433 },
    query: { locationId: 7, createdAt: '2026-10-20T08:00:00.000Z', reportType: 'pdf' },
    response: { link: '/reports/q0Yt3bTSXg0Cj8zPXGkYw2rKQm1c4b0eJYl6mW9fZ5s' },
  },
  saveSearch: saveSearchReference({ plateLpr: 'GR7K201' }),
  stream: {
    errors: {
      400: ['plate-in-address'],
      403: ['plates-are-anonymised'],
      404: ['search-not-found'],
      422: ['purpose-missing'],
    },
    headers: {
      'Last-Event-ID': {
        description: 'The id of the last event, to resume',
        example: '7696581394433@1792483198000_1792483200000_q0Yt3bTS',
      },
    },
    query: {
      locations: '7',
      withAxles: true,
      withImages: true,
      withShapeSamples: true,
      withTags: true,
      withDataImages: true,
    },
  },
  tags: { ...tagsReference, response: [] },
})
