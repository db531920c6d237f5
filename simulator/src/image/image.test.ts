import { imageTypes } from '@rogatka/contract/vehicle.ts'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { kinds } from '../kinds.ts'
import { measurementOf } from '../sample.ts'
import { text, textWidth } from './font.ts'
import { renderImage } from './image.ts'
import { daylight } from './paint.ts'
import { sideOf } from './side.ts'
import { visibleVehicleOf } from './visible-vehicle.ts'

const AT = new Date('2026-10-20T10:00:00Z')

test.each(kinds)('images of a %s are JPEGs of 960 × 540 under 120 KB, by day and by night', async (kind) => {
  const measurement = measurementOf(kind, { at: AT, seed: kind })
  for (const type of imageTypes)
    for (const night of [false, true]) {
      const jpeg = await renderImage(measurement, type, { night, station: 'DK92 Łowicz' })
      const { format, width, height } = await sharp(jpeg).metadata()

      expect({ format, width, height }).toEqual({ format: 'jpeg', width: 960, height: 540 })
      expect(jpeg.length).toBeLessThan(120_000)
      expect(jpeg.length).toBeGreaterThan(10_000)
    }
})

test('night images are dark and without colour, except the plate', async () => {
  const measurement = measurementOf('articulated', { at: AT })
  const statsOf = async (night: boolean) => sharp(await renderImage(measurement, 'plate', { night })).stats()
  const [day, night] = [await statsOf(false), await statsOf(true)]
  const front = await sharp(await renderImage(measurement, 'front', { night: true })).stats()
  const bright = await sharp(await renderImage(measurement, 'front', { night: false })).stats()

  expect(front.channels[0]?.mean).toBeLessThan((bright.channels[0]?.mean ?? 0) / 2)
  expect(Math.abs((front.channels[0]?.mean ?? 0) - (front.channels[2]?.mean ?? 0))).toBeLessThan(4)
  expect(night.channels[0]?.max).toBeGreaterThan(200)
  expect(day.channels[0]?.max).toBeGreaterThan(200)
})

test('equal measurements give equal images, another plate another image', async () => {
  const measurement = measurementOf('car', { at: AT })
  const image = await renderImage(measurement, 'front', { night: false })

  expect((await renderImage(measurement, 'front', { night: false })).equals(image)).toBe(true)
  expect((await renderImage({ ...measurement, plateLpr: 'PO 7XA93' }, 'front', { night: false })).equals(image)).toBe(
    false,
  )
})

test.each(['articulated', 'lorry', 'road-train', 'bus', 'car', 'van', 'car-trailer', 'motorcycle'] as const)(
  'wheels of a %s have their measured spacings in the side image',
  (kind) => {
    const measurement = measurementOf(kind, { at: AT, seed: 'wheels' })
    const vehicle = visibleVehicleOf(measurement)
    const gaps = (measurement.axles ?? []).slice(1).map((axle) => axle.gap ?? 0)
    // The tyre is the disc that touches the road; discs are ordered front to rear.
    const tyres = [...sideOf(vehicle, daylight).matchAll(/<circle cx="([\d.-]+)" cy="([\d.-]+)" r="([\d.]+)"/g)]
      .map(([, x, y, r]) => ({ x: Number(x), touches: Math.abs(Number(y) + Number(r)) < 0.1 }))
      .filter(({ touches }) => touches)
      .map(({ x }) => x)

    expect(tyres.slice(1).map((x, i) => Math.round(x - (tyres[i] ?? 0)))).toEqual(gaps)
  },
)

test('draws a vehicle without axles, category or profile', async () => {
  const bare = { sequence: 1, createdAt: AT.toISOString(), laneNumber: 1 }
  for (const type of imageTypes)
    expect((await renderImage(bare, type, { night: false })).length).toBeGreaterThan(10_000)
})

test.each([
  ['the plate as it was read', undefined, 'PO 7XA93'],
  ['what is embossed, when that is known', 'PO 7XA98', 'PO 7XA98'],
  ['no plate when it is unreadable', null, null],
])('an image shows %s', (_, embossed, shown) => {
  const measurement = { ...measurementOf('car', { at: AT }), plateLpr: 'PO 7XA93' }

  expect(visibleVehicleOf(measurement, embossed).plate).toBe(shown)
})

test('letters keep their counters, and wide letters are wider than narrow ones', () => {
  const number = text('WAB 80', { x: 0, y: 0, size: 100, fill: '#000000' })

  // W has one contour, A and 0 have two, B and 8 have three.
  expect(number.match(/Z/g)).toHaveLength(11)
  expect(textWidth('WWW', 100)).toBeGreaterThan(textWidth('III', 100))
})

test('draws every Polish letter', () => {
  const outline = (letter: string) =>
    text(letter, { x: 0, y: 0, size: 100, fill: '#000000' }).match(/ d="([^"]*)"/)?.[1]
  const outlines = [...'ŁŚŻŹĆÓĄĘŃłśżźćóąęń'].map(outline)

  expect(new Set(outlines).size).toBe(outlines.length)
  expect(outlines.every((path) => (path?.length ?? 0) > 20)).toBe(true)
})
