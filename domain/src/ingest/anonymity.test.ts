import { expect, test } from 'vitest'
import { anonymiseMeasurement } from './anonymity.ts'

test('known numbers, flags and times of a rejected measurement are shown, its plate is masked', () => {
  const plain = {
    sequence: 7,
    createdAt: '2026-10-20T07:59:58.000Z',
    laneNumber: 1,
    nationality: 'PL',
    speed: -5,
    wrongDirection: false,
    axles: [{ leftWeight: 400, rightWeight: null, gap: 0 }],
    shapeSamples: [40, 150],
    euro: { production_date: '2021-04-01' },
  }
  expect(anonymiseMeasurement({ ...plain, plateLpr: 'WGM4K281' })).toEqual({ ...plain, plateLpr: 'WG******' })
})

test.each([
  'WGM4K281',
  ['WGM4K281'],
  [[['WGM4K281']]],
  { plateLpr: ['WGM4K281'] },
  { plateLpr: { text: 'WGM4K281' } },
  { createdAt: 'WGM4K281', nationality: 'WGM4K281', speed: 'WGM4K281', overlane: 'WGM4K281' },
  { WGM4K281: 1, description: 'Skradziony WGM4K281', image: 'data:WGM4K281' },
  { axles: [{ WGM4K281: 4, note: 'WGM4K281' }, 'WGM4K281'], shapeSamples: ['WGM4K281'] },
  { euro: { catalogue_number: 'WGM4K281', make: 'WGM4K281', WGM4K281: null } },
  { euro: 'WGM4K281', axles: 'WGM4K281' },
])('a plate in an unexpected place is hidden: %j', (measurement) => {
  const shown = JSON.stringify(anonymiseMeasurement(measurement))
  expect(shown).not.toContain('M4K281')
  expect(shown).toContain('***')
})
