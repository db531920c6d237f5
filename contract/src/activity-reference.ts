import type { z } from 'zod'
import * as activity from './activity.ts'
import { reference } from './reference.ts'

const activityExample: z.input<typeof activity.activity> = {
  id: 2,
  eventType: 3,
  user: { id: 100, username: 'p.dab' },
  location: { id: 7, shortName: 'S8 Emilianów' },
  vms: { id: 1, roadNumber: 'S8', chainage: '1+900' },
  variant: 'Kontrola',
  loginAt: '2026-10-20T08:00:00.000Z',
  logoutAt: '2026-10-20T08:00:00.000Z',
  createdAt: '2026-10-20T08:00:00.000Z',
  ip: '127.0.0.1',
}

const outboxMessageExample: z.input<typeof activity.outboxMessage> = {
  id: 1,
  createdAt: '2026-10-20T08:01:00.000Z',
  kind: 'ticket-push',
  recipient: '1/2026',
  language: 'pl',
  sentAt: null,
  attempts: 1,
  lastError: 'HTTP error! status: 500 (Lost)',
}

export const activityReference = reference('History', activity, {
  audit: {
    query: { dateTimeStart: '2026-10-20T00:00:00Z', dateTimeEnd: '2026-10-21T00:00:00Z' },
    response: {
      content: [
        {
          id: 2,
          at: '2026-10-20T08:00:00.000Z',
          user: { id: 100, username: 'm.nowak' },
          ip: '127.0.0.1',
          action: 'station-changed',
          subject: 'S8 Emilianów',
          before: {
            name: 'Radzymin, węzeł',
            lanes: ['B+(7)', '-'],
            chainage: '12+300',
            latitude: 52.4187,
            direction: 'Warszawa',
            longitude: 21.1864,
            shortName: 'S8 Radzymin',
            roadNumber: 'S8',
            speedLimit: 120,
            distanceToSign: 1200,
            chainageAscends: true,
            overheightAlarm: false,
            speedLimitHeavy: 80,
            silentAfterMinutes: null,
            distanceToCheckpoint: 5400,
          },
          after: {
            name: 'Radzymin, węzeł',
            lanes: ['B+(7)'],
            chainage: '12+300',
            latitude: 52.4187,
            direction: 'Warszawa',
            longitude: 21.1864,
            shortName: 'S8 Emilianów',
            roadNumber: 'S8',
            speedLimit: null,
            distanceToSign: 1200,
            chainageAscends: true,
            overheightAlarm: false,
            speedLimitHeavy: 80,
            silentAfterMinutes: null,
            distanceToCheckpoint: 5400,
          },
        },
      ],
      totalCount: 2,
    },
  },
  list: {
    query: {
      dateTimeStart: '2026-10-20T07:00:00.000Z',
      dateTimeEnd: '2026-10-20T09:00:00.000Z',
      userId: 100,
      orderDirection: 'asc',
    },
    response: { content: [activityExample], totalCount: 5 },
  },
  outbox: { query: { limit: 100 }, response: { content: [outboxMessageExample], totalCount: 1 } },
  report: {
    errors: { 422: ['report-too-large'] },
    query: {
      dateTimeStart: '2026-10-20T07:00:00.000Z',
      dateTimeEnd: '2026-10-20T09:00:00.000Z',
      userId: 100,
      reportType: 'xlsx',
    },
    response: { link: '/reports/q0Yt3bTSXg0Cj8zPXGkYw2rKQm1c4b0eJYl6mW9fZ5s' },
  },
  userLog: {
    errors: { 404: ['user-not-found'] },
    params: { id: 100 },
    response: { link: '/reports/q0Yt3bTSXg0Cj8zPXGkYw2rKQm1c4b0eJYl6mW9fZ5s' },
  },
  vmsLogs: {
    query: { dateTimeStart: '2026-10-20T00:00:00Z', dateTimeEnd: '2026-10-21T00:00:00Z' },
    response: { content: [activityExample], totalCount: 1 },
  },
})
