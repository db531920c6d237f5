import type { z } from 'zod'
import { reference } from './reference.ts'
import * as wantedHits from './wanted-hits.ts'

export const openHitExample: z.input<typeof wantedHits.openHit> = {
  id: 7696581394433,
  createdAt: '2026-10-20T07:59:58.000Z',
  location: { id: 7, shortName: 'S8 Emilianów', direction: 'Warszawa' },
  laneNumber: 1,
  plateLpr: 'WGM4K281',
  nationality: 'PL',
  speed: 90,
  ctg8p1: 7,
  numberOfAxles: 2,
  checkpointTime: '2026-10-20T08:03:18.000Z',
  entries: [
    {
      id: 1,
      plateLpr: 'WGM4K281',
      description: 'Kradzież',
      user: { id: 100, username: 'p.dab' },
      createdAt: '2026-10-20T08:00:00.000Z',
      expiresAt: null,
    },
  ],
  taken: { by: { id: 100, username: 'j.kowalska' }, at: '2026-10-20T08:00:27.000Z' },
}

export const wantedHitsReference = reference('Plate lists', wantedHits, {
  hitStream: {},
  openHits: { response: { content: [openHitExample] } },
})
