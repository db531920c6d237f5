import * as ingest from './ingest.ts'
import { reference } from './reference.ts'

export const ingestReference = reference('Measurements', ingest, {
  post: {
    errors: { 400: ['not-a-measurement-list'], 404: ['location-not-found'], 413: ['too-many-vehicles'] },
    body: [
      {
        sequence: 1,
        createdAt: '2026-10-20T08:15:24.120Z',
        laneNumber: 1,
        plateLpr: 'WGM4K281',
        nationality: 'PL',
        speed: 84,
        vehLength: 1642,
        vehHeight: 398,
        ctg8p1: 9,
        ctg323: 5,
        axles: [
          { leftWeight: 3510, rightWeight: 3460, gap: 0 },
          { leftWeight: 5400, rightWeight: 5380, gap: 374 },
          { leftWeight: 3600, rightWeight: 3580, gap: 562 },
          { leftWeight: 3610, rightWeight: 3590, gap: 131 },
          { leftWeight: 3600, rightWeight: 3600, gap: 131 },
        ],
      },
    ],
    response: {
      accepted: 1,
      duplicates: 0,
      rejected: [
        { index: 1, errors: [{ path: 'speed', code: 'value-too-small', userMessage: 'Wartość jest za mała' }] },
      ],
    },
  },
  putImage: {
    errors: { 404: ['location-not-found'], 422: ['measurement-in-the-future', 'measurement-too-old', 'not-a-jpeg'] },
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
