import type { z } from 'zod'

import type * as vehicleWeighing from './vehicle-weighing.ts'

export const weighingExample: z.input<typeof vehicleWeighing.weighing> = {
  gross: { load: 36500, limit: 40000 },
  axles: [{ load: 7000, limit: 10000 }],
  lifted: [3],
  gaps: [374, 562, 131, 131],
  groups: [{ load: 7000, limit: 10000, axles: [1] }],
  scale: {
    id: 1,
    name: 'Waga Radzymin',
    certificate: 'OUM/17/2026',
    authority: 'OUM Warszawa',
    validFrom: '2026-01-01',
    validUntil: '2026-11-30',
    accuracyPercent: 1,
    kind: 'platform',
  },
  isScaleValid: true,
  excesses: [{ kind: 'group', axles: [4, 5], load: 18500, certain: 18315, limit: 18000, percent: 1.8 }],
}
