import * as ingest from './ingest.ts'
import { reference } from './reference.ts'

export const ingestReference = reference('Measurements', ingest, {
  post: {
    errors: { 400: ['not-a-measurement-list'], 413: ['too-many-vehicles'] },
    body: [],
    response: {
      accepted: 2,
      duplicates: 0,
      rejected: [
        { index: 1, errors: [{ path: 'speed', code: 'value-too-small', userMessage: 'Wartość jest za mała' }] },
      ],
    },
  },
  putImage: {
    errors: { 422: ['measurement-in-the-future', 'measurement-too-old', 'not-a-jpeg'] },
    params: { sequence: 1, type: 'front' },
    query: { createdAt: '2026-10-20T07:59:58.000Z' },
  },
  quarantine: {
    query: { page: 1, limit: 100 },
    response: {
      content: [
        {
          id: 8,
          locationId: 7,
          receivedAt: '2026-10-20T08:00:00.000Z',
          measurement: {
            euro: { make: 'MAN' },
            axles: [{ gap: 0, leftWeight: 400, rightWeight: 410 }],
            speed: 90,
            ctg323: 1,
            ctg8p1: 7,
            overlane: false,
            plateLpr: 'WX 10001',
            sequence: 1,
            createdAt: '2026-10-20T07:59:58.000Z',
            vehHeight: 150,
            vehLength: 450,
            laneNumber: 1,
            nationality: 'PL',
            shapeSamples: [40, 150, 90],
            wrongDirection: null,
          },
          errors: [
            {
              path: 'sequence',
              code: 'sequence-reused',
              userMessage: 'Pod tym numerem i czasem zapisano już inny pojazd.',
            },
          ],
        },
      ],
      totalCount: 8,
    },
  },
})
