import type { z } from 'zod'
import { reference } from './reference.ts'
import * as views from './views.ts'

const viewExample: z.input<typeof views.view> = {
  id: 1,
  page: 'archive',
  name: 'Ciężkie',
  search: { plateLpr: 'WGM4K281', locations: '7', minTotalLoad: '40000', orderByColumnName1: 'plateLpr' },
  hasPlate: true,
  rangeMinutes: null,
  shared: false,
  owner: 'm.nowak',
  isOwn: true,
  isDeletable: true,
  isStart: false,
  missingStations: 0,
  version: 1,
}

export const viewsReference = reference('Saved views', views, {
  addView: {
    errors: {
      403: ['plates-are-anonymised'],
      409: ['too-many-shared-views', 'too-many-views'],
      422: ['invalid-value', 'plate-in-shared-view'],
    },
    body: {
      page: 'archive',
      name: ' Wspólny ',
      search: {
        locations: '7',
        minTotalLoad: '40000',
        dateTimeStart: '2026-10-19T06:16:00.000Z',
        dateTimeEnd: '2026-10-20T06:16:00.000Z',
      },
      shared: true,
      rangeMinutes: 1440,
    },
    response: viewExample,
  },
  changeView: {
    errors: {
      404: ['view-not-found'],
      409: ['changed-meanwhile', 'too-many-shared-views'],
      422: ['invalid-value', 'plate-in-shared-view'],
    },
    params: { id: 2 },
    body: { name: 'Nowy', search: { locations: '7', minTotalLoad: '40000' }, shared: true, version: 1 },
    response: viewExample,
  },
  orderViews: { body: { ids: [2, 999999, 1] } },
  readView: { errors: { 404: ['view-not-found'] }, params: { id: 1 }, response: viewExample },
  removeView: { errors: { 404: ['view-not-found'] }, params: { id: 2 } },
  setStartView: { errors: { 404: ['view-not-found'] }, body: { id: 2 } },
  views: { response: [viewExample] },
})
