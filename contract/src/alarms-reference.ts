import type { z } from 'zod'
import * as alarms from './alarms.ts'
import { reference } from './reference.ts'

const alarmExample: z.input<typeof alarms.alarm> = {
  id: 2,
  kind: 'wrong-way',
  priority: 'high',
  state: 'cleared',
  location: { id: 7, shortName: 'S8 Emilianów', roadNumber: 'S8' },
  laneNumber: 1,
  sign: null,
  vehicle: { id: 7696581394433, createdAt: '2026-10-20T07:59:58.000Z', plateLpr: 'WGM4K281', nationality: 'PL' },
  name: null,
  value: null,
  raisedAt: '2026-10-20T08:00:00.000Z',
  count: 1,
  isRepeating: false,
  isSilent: false,
  endsAt: '2026-10-20T08:04:58.000Z',
  clearedAt: '2026-10-20T08:05:00.000Z',
  isMissed: false,
  acknowledged: { by: 'p.dab', at: '2026-10-20T08:00:00.000Z' },
  shelved: null,
  maxShelfMinutes: null,
}

export const alarmsReference = reference('Alarms', alarms, {
  acknowledge: {
    errors: { 404: ['alarm-not-found'] },
    params: { id: 2 },
    response: { isFirst: true, by: 'p.dab', at: '2026-10-20T08:00:00.000Z' },
  },
  check: { query: { version: 'YWVcC-NCOECReTON' }, response: { refresh: true } },
  figures: {
    errors: { 400: ['start-after-end'] },
    query: { dateTimeStart: '2026-10-20T07:00:00Z', dateTimeEnd: '2026-10-20T09:00:00Z' },
    response: {
      alarms: 2,
      perTenMinutes: 0.16666666666666666,
      windows: 12,
      windowsOverTen: 0,
      worstWindow: 2,
      priorities: {
        high: { alarms: 2, percent: 100 },
        medium: { alarms: 0, percent: 0 },
        low: { alarms: 0, percent: 0 },
      },
      secondsToAcknowledge: { median: 0, p95: 0 },
      acknowledged: 1,
      missed: 1,
      mostFrequent: [{ kind: 'wrong-way', location: { id: 7, shortName: 'S8 Emilianów' }, alarms: 2 }],
      standing: [],
    },
  },
  history: {
    errors: { 400: ['start-after-end'] },
    query: {
      dateTimeStart: '2026-10-20T07:00:00.000Z',
      dateTimeEnd: '2026-10-20T09:00:00.000Z',
      locations: '7',
      limit: 100,
    },
    response: { content: [alarmExample], totalCount: 1 },
  },
  list: {
    response: {
      version: 'dMqnoB7WK6HTIiV7',
      content: [alarmExample],
      lastTenMinutes: 4,
      isFlood: false,
      emptySince: null,
      shiftEndsAt: '2026-10-20T12:00:00.000Z',
    },
  },
  shelve: {
    errors: { 404: ['alarm-not-found'], 422: ['alarm-never-shelved', 'shelf-in-the-past', 'shelf-too-long'] },
    params: { id: 1 },
    body: { until: '2026-10-20T08:30:00.000Z', reason: 'Serwis na miejscu' },
  },
  unshelve: { errors: { 404: ['alarm-not-found'] }, params: { id: 1 } },
})
