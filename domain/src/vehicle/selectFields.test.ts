import type { Vehicle } from '@rogatka/contract/vehicle.ts'
import { expect, test } from 'vitest'
import { selectFields } from './selectFields.ts'

const image = { number: 1, type: 'front', path: '/7/full', fileName: '1.jpg', contentType: 'image/jpeg' }
const detail = {
  id: 4,
  plateLpr: 'WX12345',
  speed: 84,
  axles: [{ type: 1, totalLoad: 7_100 }],
  axlesComplex: { totalLoad: 7_100 },
  shapeSamples: [0, 255],
  images: [image],
  euro: { make: 'DAF' },
} as unknown as Vehicle
const tags = [{ name: 'ADR' }] as unknown as Parameters<typeof selectFields>[2]

test.each<[string, Parameters<typeof selectFields>[1], object]>([
  ['nothing else', {}, {}],
  ['nothing else if all is refused', { withAxles: false, withImages: false, withDataImages: false }, {}],
  ['axles and groups', { withAxles: true }, { axles: detail.axles, axlesComplex: detail.axlesComplex }],
  ['the height profile', { withShapeSamples: true }, { shapeSamples: [0, 255] }],
  [
    'number, type and path of the images',
    { withImages: true },
    { images: [{ number: 1, type: 'front', path: '/7/full' }] },
  ],
  ['all of the images', { withDataImages: true }, { images: [image] }],
  ['all of the images, asked for twice', { withImages: true, withDataImages: true }, { images: [image] }],
  ['tags', { withTags: true }, { tags }],
])('a list has the plain fields and %s by its flags, never catalogue data', (_, flags, further) => {
  expect(selectFields(detail, flags, tags)).toStrictEqual({ id: 4, plateLpr: 'WX12345', speed: 84, ...further })
})

test('a vehicle without images has an empty list of them', () => {
  const { images: _, ...withoutImages } = detail
  expect(selectFields(withoutImages as Vehicle, { withImages: true }, tags).images).toEqual([])
})
