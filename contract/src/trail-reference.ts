import type { z } from 'zod'
import { reference } from './reference.ts'
import {
  checkIntegrity,
  integrity,
  readPurpose,
  removePurpose,
  searchTrail,
  type sessionPurpose,
  setPurpose,
  trail,
  trailReport,
  trailSummary,
} from './trail.ts'

const purposeExample: z.input<typeof sessionPurpose> = {
  required: true,
  current: { purpose: 'proceedings', reference: 'RSOW 118/2026', note: null, until: '2026-10-20T08:30:00.000Z' },
}

const day = { dateTimeStart: '2026-10-20T00:00:00Z', dateTimeEnd: '2026-10-21T00:00:00Z' }

export const trailReference = [
  ...reference(
    'Own account',
    { readPurpose, removePurpose, setPurpose },
    {
      readPurpose: { response: purposeExample },
      removePurpose: {},
      setPurpose: {
        errors: { 422: ['purpose-note-missing', 'reference-missing'] },
        body: { purpose: 'proceedings', reference: 'RSOW 118/2026' },
        response: purposeExample,
      },
    },
  ),
  ...reference(
    'History',
    { checkIntegrity, integrity, searchTrail, trail, trailReport, trailSummary },
    {
      checkIntegrity: {},
      integrity: {
        response: {
          check: { endedAt: '2026-10-20T03:20:09.000Z', fault: null },
          isChecking: false,
          days: [{ day: '2026-10-20', state: 'intact' }],
          links: 418_226,
          since: '2026-01-12T07:31:00.000Z',
          head: {
            seq: 301_118,
            at: '2026-10-20T08:02:11.000Z',
            hash: '4dbfd5ab61ffbcbadcb593ad5f49f44912cc00c86cf00257981c5d887c80a8fc',
          },
          anchor: {
            number: 12,
            at: '2026-10-20T00:00:00.000Z',
            isStampRequested: true,
            stampedAt: '2026-10-20T00:00:04.000Z',
            copiedAt: '2026-10-20T00:00:01.000Z',
          },
          isCopied: true,
        },
      },
      searchTrail: {
        errors: { 400: ['incorrect-plate'] },
        body: { plateLpr: 'WX 12345' },
        response: { searchId: 'q0Yt3bTSXg0Cj8zPXGkYww', expiresAt: '2026-10-20T20:00:00.000Z' },
      },
      trail: {
        errors: { 404: ['search-not-found'] },
        query: { ...day, purpose: 'proceedings', limit: 1 },
        response: {
          content: [
            {
              id: 812,
              at: '2026-10-20T08:02:11.000Z',
              user: { id: 100, name: 'm.nowak' },
              system: null,
              device: null,
              webhook: null,
              role: 'Kontroler',
              ip: '192.0.2.1',
              call: 'GET /arch-vehicles',
              kind: 'list',
              purpose: 'proceedings',
              reference: 'RSOW 118/2026',
              note: null,
              criteria: { locations: [7], page: 1, limit: 25 },
              plates: ['WX 12345'],
              results: 3,
              shown: 3,
              isListed: true,
              vehicle: null,
              visit: null,
            },
          ],
          totalCount: 1,
        },
      },
      trailReport: {
        errors: { 404: ['search-not-found'], 422: ['purpose-missing', 'report-too-large'] },
        query: { ...day, reportType: 'jsonl' },
        response: { link: '/reports/q0Yt3bTSXg0Cj8zPXGkYw2rKQm1c4b0eJYl6mW9fZ5s' },
      },
      trailSummary: {
        query: day,
        response: {
          lines: 118,
          purposes: [
            { purpose: 'roadside-check', lines: 82 },
            { purpose: null, lines: 36 },
          ],
          manyPlates: [{ user: { id: 100, name: 'm.nowak' }, hour: '2026-10-20T08:00:00.000Z', shown: 64 }],
          outsideShift: [
            {
              user: { id: 101, name: 'd.rak' },
              from: '2026-10-20T01:11:58.000Z',
              to: '2026-10-20T01:12:47.000Z',
              lines: 3,
            },
          ],
          shiftsKnownSince: '2024-11-17T08:00:00.000Z',
          withoutPurpose: [{ user: { id: 101, name: 'd.rak' }, at: '2026-10-20T01:10:00.000Z' }],
        },
      },
    },
  ),
]
