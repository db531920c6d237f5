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

test.each([
  '2026-10-20T07:59',
  '2026-10-20T07:59Z',
  '2026-10-20T07:59:58+02:00',
  '2026-10-20T07:59:58.123456789+0200',
  '2026-10-20T07:59:58-03:30',
])('the time %s of a rejected measurement is shown', (createdAt) => {
  expect(anonymiseMeasurement({ createdAt })).toEqual({ createdAt })
})

test.each([
  { createdAt: 'WGM4K281 2026-10-20T07:59Z' },
  { createdAt: '2026-10-20T07:59Z WGM4K281' },
  { nationality: 'WGM4K281PL' },
  { nationality: 'PL 4281' },
  { euro: { production_date: 'WGM4K281 2021-04-01' } },
  { euro: { production_date: '2021-04-01 WGM4K281' } },
  { speed: '85' },
  { overlane: 'WGM4K281' },
])('text around a harmless form hides the whole value: %j', (measurement) => {
  const shown = JSON.stringify(anonymiseMeasurement(measurement))
  expect(shown).toContain('***')
  for (const part of ['4K281', '4281', '2026', '2021', 'PL', '85']) expect(shown).not.toContain(part)
})

test('every known number and flag of a rejected measurement is shown', () => {
  const known = {
    sequence: 1,
    laneNumber: 2,
    speed: 85,
    vehLength: 1_620,
    vehHeight: 400,
    ctg8p1: 9,
    ctg323: 5,
    wrongDirection: true,
    overlane: false,
    axles: [{ type: 1, leftWeight: 3_500, rightWeight: 3_450, gap: 0 }],
    euro: null,
  }
  expect(anonymiseMeasurement(known)).toEqual(known)
})

test.each([null, undefined, 7, true, 'WGM4K281', [{ speed: 85 }]])(
  'a measurement that is no record is hidden: %j',
  (it) => {
    expect(anonymiseMeasurement(it)).toBe(it === null ? null : '***')
  },
)
