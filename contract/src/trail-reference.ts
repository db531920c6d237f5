import type { z } from 'zod'
import { reference } from './reference.ts'
import * as trail from './trail.ts'

const purposeExample: z.input<typeof trail.sessionPurpose> = {
  required: true,
  current: { purpose: 'proceedings', reference: 'RSOW 118/2026', note: null, until: '2026-10-20T08:30:00.000Z' },
}

export const trailReference = [
  ...reference(
    'Own account',
    { readPurpose: trail.readPurpose, setPurpose: trail.setPurpose, removePurpose: trail.removePurpose },
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
]
