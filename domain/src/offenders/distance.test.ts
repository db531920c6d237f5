import { expect, test } from 'vitest'
import { type StationPlace, stationDistance } from './distance.ts'

const at = (roadNumber: string, chainage: string, place: Partial<StationPlace> = {}): StationPlace => ({
  roadNumber,
  chainage,
  ...place,
})
const WARSAW = { latitude: 52.2297, longitude: 21.0122 }
const POZNAN = { latitude: 52.4064, longitude: 16.9252 }
const KRAKOW = { latitude: 50.0647, longitude: 19.945 }

test('stations of one road are as far apart as their chainage, regardless of coordinates', () => {
  expect(stationDistance(at('S8', '12+300', WARSAW), at('S8', '2+050', POZNAN))).toBeCloseTo(10.25, 9)
})

test.each([
  ['Warszawa', WARSAW, 'Poznań', POZNAN, 279],
  ['Kraków', KRAKOW, 'Warszawa', WARSAW, 252],
  ['Poznań', POZNAN, 'Poznań', POZNAN, 0],
])('%s %o and %s %o are %s km apart as the crow flies', (_, one, __, other, kilometres) => {
  const distance = stationDistance(at('S8', '1+000', one), at('A2', '1+000', other))
  expect(Math.abs((distance ?? Number.NaN) - kilometres)).toBeLessThan(1)
})

test('coordinates also serve where the chainage is no number, and without both the distance is unknown', () => {
  expect(stationDistance(at('S8', 'km?', WARSAW), at('S8', '1+000', POZNAN))).toBeGreaterThan(278)
  expect(stationDistance(at('S8', '1+000', WARSAW), at('A2', '1+000'))).toBeNull()
  expect(stationDistance(at('S8', '1+000', { latitude: 52, longitude: null }), at('A2', '1+000', WARSAW))).toBeNull()
})
