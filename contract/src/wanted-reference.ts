import type { WireOf } from './endpoint.ts'
import { reference } from './reference.ts'
import { openSearchReference, saveSearchReference } from './vehicle-reference.ts'
import * as wanted from './wanted.ts'
import { openHitExample } from './wanted-hits-reference.ts'

const addContactExample: WireOf<typeof wanted.addContact, 'response'> = {
  id: 1,
  contact: 'kpp@example.org',
  typeOfContact: 0,
  description: 'x',
  userId: 100,
  user: { id: 100, username: 'p.dab' },
  createdAt: '2026-10-20T08:00:00.000Z',
  quietHours: { from: '09:00', to: '10:05' },
  lastMessage: {
    isTest: true,
    fate: 'sent',
    createdAt: '2026-10-20T08:00:00.000Z',
    sentAt: '2026-10-20T08:00:00.000Z',
    attempts: 1,
  },
  manageable: true,
  version: 1,
}

const addPlateExample: WireOf<typeof wanted.addPlate, 'response'> = {
  id: 2,
  plateLpr: 'AB222',
  nationality: 'PL',
  typeOfList: 0,
  description: 'kradzież',
  userId: 100,
  user: { id: 100, username: 'm.nowak' },
  hits: 1,
  createdAt: '2026-10-20T08:00:01.000Z',
  expiresAt: '2026-11-01T00:00:00.000Z',
  allowMisread: false,
  notified: false,
  manageable: true,
  version: 1,
}

const closeHitExample: WireOf<typeof wanted.closeHit, 'response'> = {
  ...openHitExample,
  taken: null,
  closed: { by: { id: 100, username: 'p.dab' }, at: '2026-10-20T08:00:00.000Z', reason: 'misread' },
  isLate: false,
  notified: 0,
  course: [{ step: 'read', at: '2026-10-20T07:59:58.000Z', by: null, count: null, reason: null }],
}

export const wantedReference = reference('Plate lists', wanted, {
  addContact: {
    errors: {
      400: ['contact-fields-required', 'incorrect-email-address', 'incorrect-phone-number'],
      409: ['contact-already-listed'],
    },
    body: {
      contact: 'asleep@example.org',
      typeOfContact: 0,
      description: 'x',
      quietHours: { from: '09:00', to: '10:05' },
    },
    response: addContactExample,
  },
  addPlate: {
    errors: {
      400: ['incorrect-plate'],
      403: ['plates-are-anonymised'],
      409: ['plate-already-listed'],
      422: ['expiry-in-the-past', 'user-not-found'],
    },
    body: { plateLpr: 'WGM4K281', typeOfList: 0, description: 'Szukany WX1', expiresAt: '2026-10-20T08:00:30Z' },
    response: addPlateExample,
  },
  changeContact: {
    errors: {
      400: ['contact-fields-required', 'incorrect-email-address', 'incorrect-phone-number'],
      403: ['account-has-more-rights', 'administrator-needed'],
      404: ['contact-not-found'],
      409: ['changed-meanwhile', 'contact-already-listed'],
    },
    params: { id: 1 },
    body: { contact: 'new@example.org', typeOfContact: 0, description: 'x' },
    response: addContactExample,
  },
  changePlate: {
    errors: {
      400: ['incorrect-plate'],
      403: ['account-has-more-rights', 'administrator-needed', 'plates-are-anonymised'],
      404: ['wanted-plate-not-found'],
      409: ['changed-meanwhile', 'plate-already-listed'],
      422: ['expiry-in-the-past', 'user-not-found'],
    },
    params: { id: 1 },
    body: {
      plateLpr: 'wx-2',
      description: 'Przemyt',
      expiresAt: '2026-11-20T22:59:00.000Z',
      allowMisread: true,
      version: 1,
    },
    response: addPlateExample,
  },
  closeHit: {
    errors: { 404: ['hit-not-found'] },
    params: { id: 7696581394433 },
    query: { createdAt: '2026-10-20T07:59:58.000Z' },
    body: { reason: 'misread' },
    response: closeHitExample,
  },
  contact: { errors: { 404: ['contact-not-found'] }, params: { id: 1 }, response: addContactExample },
  contacts: { query: {}, response: { content: [addContactExample], totalCount: 1 } },
  countContacts: { query: { userId: 100 }, response: { count: 1 } },
  exportPlates: {
    errors: {
      400: ['plate-in-address'],
      403: ['plates-are-anonymised'],
      404: ['search-not-found'],
      422: ['purpose-missing', 'report-too-large'],
    },
    query: { typesOfLists: '0' },
    response: { link: '/reports/q0Yt3bTSXg0Cj8zPXGkYw2rKQm1c4b0eJYl6mW9fZ5s' },
  },
  hit: {
    errors: { 404: ['hit-not-found'] },
    params: { id: 7696581394433 },
    query: { createdAt: '2026-10-20T07:59:58.000Z' },
    response: closeHitExample,
  },
  hits: {
    errors: { 404: ['wanted-plate-not-found'] },
    params: { id: 1 },
    query: {},
    response: {
      content: [
        {
          id: 7696581394433,
          createdAt: '2026-10-20T07:59:58.000Z',
          location: { id: 7, shortName: 'S8 Emilianów' },
          laneNumber: 1,
          checkpointTime: '2026-10-20T08:03:18.000Z',
          plateLpr: 'WGM4K281',
          entryPlate: 'WGM4K281',
          nationality: 'PL',
          falseHit: true,
        },
      ],
      totalCount: 1,
    },
  },
  latestHits: {
    query: { limit: 5, page: 2 },
    response: {
      content: [
        {
          id: 7696581394438,
          createdAt: '2026-10-20T06:00:00.000Z',
          location: { id: 7, shortName: 'S8 Emilianów' },
          laneNumber: 1,
          plateLpr: 'WGM4K281',
          nationality: 'PL',
          entry: { id: 1, plateLpr: 'WGM4K281', typeOfList: 0, description: 'Kradzież' },
          outcome: 'untaken',
          by: null,
          reason: null,
        },
      ],
      totalCount: 6,
    },
  },
  markHit: {
    errors: {
      403: ['account-has-more-rights', 'administrator-needed'],
      404: ['hit-not-found', 'wanted-plate-not-found'],
    },
    params: { id: 1, vehicleId: 7696581394433 },
    query: { createdAt: '2026-10-20T07:59:58.000Z' },
    body: { falseHit: true },
  },
  misreads: {
    query: { dateTimeStart: '2026-10-20T00:00:00Z', dateTimeEnd: '2026-10-21T00:00:00Z' },
    response: [{ location: { id: 7, shortName: 'S8 Emilianów' }, laneNumber: 1, hits: 1, misreads: 1 }],
  },
  openHitSheet: {
    errors: { 404: ['hit-not-found'] },
    params: { id: 7696581394433 },
    query: { createdAt: '2026-10-20T07:59:58.000Z' },
    response: closeHitExample,
  },
  openSearch: openSearchReference({ search: 'GR7K' }),
  plate: { errors: { 404: ['wanted-plate-not-found'] }, params: { id: 1 }, response: addPlateExample },
  plates: {
    errors: {
      400: ['plate-in-address'],
      403: ['plates-are-anonymised'],
      404: ['search-not-found'],
      422: ['purpose-missing'],
    },
    query: { search: 'WX', orderBy: 'plateLpr', orderDirection: 'asc', state: 'expiring' },
    response: { content: [addPlateExample], totalCount: 2, states: { all: 5, valid: 4, expiring: 2, expired: 1 } },
  },
  removeContact: {
    errors: { 403: ['account-has-more-rights', 'administrator-needed'], 404: ['contact-not-found'] },
    params: { id: 1 },
  },
  removePlate: {
    errors: { 403: ['account-has-more-rights', 'administrator-needed'], 404: ['wanted-plate-not-found'] },
    params: { id: 1 },
  },
  removePlates: {
    errors: {
      403: ['account-has-more-rights', 'administrator-needed', 'plates-are-anonymised'],
      404: ['wanted-plate-not-found'],
      409: ['changed-meanwhile'],
    },
    body: { found: { typeOfList: 0, search: 'WX', state: 'expired', count: 1 } },
    response: { deleted: 1 },
  },
  reopenHit: {
    errors: { 404: ['hit-not-found'], 409: ['hit-not-reopened'] },
    params: { id: 7696581394433 },
    query: { createdAt: '2026-10-20T07:59:58.000Z' },
    response: closeHitExample,
  },
  saveSearch: saveSearchReference({ search: 'GR7K' }),
  takeHit: {
    errors: { 404: ['hit-not-found'], 409: ['hit-closed', 'hit-late', 'hit-taken'] },
    params: { id: 7696581394433 },
    query: { createdAt: '2026-10-20T07:59:58.000Z' },
    body: { from: 100 },
    response: closeHitExample,
  },
  testContact: {
    errors: { 403: ['account-has-more-rights', 'administrator-needed'], 404: ['contact-not-found'] },
    params: { id: 1 },
    response: addContactExample,
  },
})
