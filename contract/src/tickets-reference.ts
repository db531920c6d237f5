import type { z } from 'zod'
import { reference } from './reference.ts'
import * as tickets from './tickets.ts'

const ticketExample: z.input<typeof tickets.ticket> = {
  id: 1,
  number: '1/2026',
  title: 'Kamera',
  description: 'Brak obrazu',
  status: 'closed',
  isOpen: false,
  handleBy: null,
  created_at: '2026-10-20T08:00:00.000Z',
  close_at: '2026-10-20T08:02:00.000Z',
  organization_id: 1,
  userId: 100,
  reporterName: 'Jan Żak',
  reporterEmail: 'jan@example.org',
  location: null,
  laneNumber: null,
  healthKind: null,
  sign: null,
  context: null,
  attachments: [{ number: 1, name: 'zdjęcie.jpg', type: 'image/jpeg', size: 287, isRefused: false }],
  serviceNumber: '77500',
  serviceOwner: 'rogatka',
  version: 3,
}

export const ticketsReference = reference('Failure reports', tickets, {
  add: {
    errors: {
      400: ['incorrect-email-address'],
      413: ['attachment-too-large'],
      415: ['attachment-kind-not-accepted'],
      422: [
        'attachment-damaged',
        'attachment-not-harmless',
        'invalid-value',
        'list-too-long',
        'location-not-found',
        'picture-too-large',
        'removed-before-reported',
        'time-in-the-future',
      ],
    },
    body: {
      title: 'Kamera',
      description: 'Brak obrazu',
      locationId: 7,
      laneNumber: 1,
      reporterName: 'Anna Nowak',
      reporterEmail: 'anna@example.org',
    },
    response: ticketExample,
  },
  addAttachments: {
    errors: {
      404: ['ticket-not-found'],
      413: ['attachment-too-large'],
      415: ['attachment-kind-not-accepted'],
      422: [
        'attachment-damaged',
        'attachment-not-harmless',
        'list-too-long',
        'picture-too-large',
        'too-many-attachments',
      ],
    },
    params: { id: 1 },
    response: ticketExample,
  },
  attachment: { errors: { 404: ['attachment-not-found', 'ticket-not-found'] }, params: { id: 1 }, query: {} },
  change: {
    errors: {
      400: ['incorrect-email-address'],
      404: ['ticket-not-found'],
      409: ['changed-meanwhile'],
      422: ['invalid-value', 'location-not-found', 'removed-before-reported', 'time-in-the-future'],
    },
    params: { id: 1 },
    body: { title: 'Kamera', description: 'Brak obrazu', status: 'closed' },
    response: ticketExample,
  },
  find: {
    query: { page: 2, limit: 1 },
    response: { content: [{ ...ticketExample, durationMinutes: 159841 }], totalCount: 2 },
  },
  history: {
    errors: { 404: ['ticket-not-found'] },
    params: { id: 1 },
    response: [
      { at: '2026-10-20T08:00:00.000Z', by: 'p.dab', kind: 'portal', isNew: true, changes: [], addedFiles: [] },
    ],
  },
  list: {
    query: { year: 2026, month: 8 },
    response: {
      year: 2026,
      month: 8,
      asOf: '2026-10-20T08:00:00.000Z',
      content: [{ ...ticketExample, durationMinutes: 240, totalDurationMinutes: 120 }],
      totalDurationMinutes: 120,
      months: [{ year: 2026, month: 7, tickets: 1 }],
    },
  },
  read: { errors: { 404: ['ticket-not-found'] }, params: { id: 1 }, response: ticketExample },
  readToken: { response: { stored: true, email: 'ja@example.org', expiresAt: '2028-10-20T08:00:00.000Z' } },
  report: {
    errors: { 422: ['no-tickets-in-month'] },
    query: { year: 2026, month: 10 },
    response: { link: '/reports/q0Yt3bTSXg0Cj8zPXGkYw2rKQm1c4b0eJYl6mW9fZ5s' },
  },
  saveToken: {
    errors: {
      400: ['incorrect-email-address', 'service-token-required', 'user-email-required'],
      422: ['tokens-cannot-be-kept'],
    },
    body: { token: 'moj-tajny-token', email: 'ja@example.org' },
    response: { stored: true, email: 'ja@example.org', expiresAt: '2028-10-20T08:00:00.000Z' },
  },
})
