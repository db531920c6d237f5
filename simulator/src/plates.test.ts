import { expect, test } from 'vitest'
import { misread, type Nationality, nationalityOf, plateOf, readingOf, trailerPlateOf } from './plates.ts'
import { trafficRandom } from './random.ts'

const FORMATS: [Nationality, RegExp][] = [
  ['PL', /^([A-Z]{2} (\d{5}|\d{4}[A-Z]|\d{3}[A-Z]{2}|\d[A-Z]\d{3}|\d[A-Z]{2}\d{2})|[A-Z]{3} [A-Z0-9]{4,5})$/],
  ['DE', /^[A-Z]{1,3} [A-Z]{1,2} [1-9]\d{1,3}$/],
  ['LT', /^[A-Z]{3} \d{3}$/],
  ['UA', /^[ABCEHIKMOPTX]{2} \d{4} [ABCEHIKMOPTX]{2}$/],
  ['CZ', /^\d[A-Z]\d \d{4}$/],
  ['SK', /^[A-Z]{2} \d{3}[A-Z]{2}$/],
  ['RO', /^(B \d{3}|[A-Z]{2} \d{2}) [A-Z]{3}$/],
]

test.each(FORMATS)('plates of %s have the format of their country', (nationality, format) => {
  const random = trafficRandom(`plates:${nationality}`)
  for (let i = 0; i < 500; i++) {
    expect(plateOf(nationality, random)).toMatch(format)
    expect(trailerPlateOf(nationality, random)).toMatch(format)
  }
})

test('Polish series leave out letters that look like digits', () => {
  const random = trafficRandom('series')
  const series = Array.from({ length: 1_000 }, () => plateOf('PL', random).split(' ')[1]).join('')

  expect(series).not.toMatch(/[BDIOQZ]/)
})

test('a third of the lorries come from abroad, but few of the cars', () => {
  const random = trafficRandom('abroad')
  const foreign = (group: Parameters<typeof nationalityOf>[0]) =>
    Array.from({ length: 5_000 }, () => nationalityOf(group, random)).filter((nationality) => nationality !== 'PL')
      .length / 5_000

  expect(foreign('lorry')).toBeCloseTo(0.36, 1)
  expect(foreign('light')).toBeLessThan(0.12)
})

test('a misreading replaces one character by a look-alike', () => {
  const random = trafficRandom('misread')

  expect(misread('WE 8A', random)).toBe('WE BA')
  expect(misread('TK 7', random)).toBe('TK 7')
})

test('readings are mostly right, sometimes missing, sometimes without the space', () => {
  const random = trafficRandom('readings')
  const readings = Array.from({ length: 5_000 }, () => readingOf('WGM 4K281', random))
  const share = (found: (reading: string | null) => boolean) => readings.filter(found).length / readings.length

  expect(share((reading) => reading === null)).toBeCloseTo(0.02, 2)
  expect(share((reading) => reading?.replace(' ', '') === 'WGM4K281')).toBeGreaterThan(0.95)
  expect(share((reading) => reading?.includes(' ') ?? false)).toBeGreaterThan(0.5)
  expect(share((reading) => reading !== null && !reading.includes(' '))).toBeGreaterThan(0.3)
})
