import sharp from 'sharp'
import { expect, test } from 'vitest'
import { withScans } from '../testing/jpeg.ts'
import { blurImage, createImageScaler, decodeExclusively, scaleImage } from './image-scaler.ts'

const createImage = (width: number) =>
  sharp({ create: { width, height: 90, channels: 3, background: '#456' } })
    .jpeg()
    .toBuffer()

test('caches scaled images, and evicts the least recently used one', async () => {
  const original = await createImage(200)
  const size = (await createImageScaler()('a', 0.5, async () => original))?.length as number
  const scaled = createImageScaler(2 * size)
  const loaded: string[] = []
  const ask = async (digest: string) => {
    const small = await scaled(digest, 0.5, async () => {
      loaded.push(digest)
      return original
    })
    expect(await sharp(small as Buffer).metadata()).toMatchObject({ width: 100, height: 45 })
  }
  for (const digest of ['a', 'b', 'a', 'c', 'a', 'b']) await ask(digest)
  expect(loaded).toEqual(['a', 'b', 'c', 'b'])
})

test('does not cache a missing image', async () => {
  const scaled = createImageScaler()
  expect(await scaled('a', 0.5, async () => null)).toBeNull()
  const original = await createImage(20)
  expect(await scaled('a', 0.5, async () => original)).not.toBeNull()
})

test('does not decode a stored image of more than 100 scans', async () => {
  const images = await Promise.all([100, 101].map(withScans))
  for (const decode of [blurImage, (image: Buffer) => scaleImage(image, 0.5)]) {
    const decoded = await Promise.all(images.map(decode))
    expect(decoded.map((bytes) => bytes !== null)).toEqual([true, false])
  }
})

test('scales while no other image is decoded', async () => {
  const original = await createImage(200)
  const order: string[] = []
  const decoding = Promise.withResolvers<void>()
  const alone = decodeExclusively(() => decoding.promise.then(() => order.push('decoded')))
  const load = async () => {
    order.push('loaded')
    return original
  }
  const scaled = createImageScaler()
  // The second request does not load the original while the first one waits.
  const scaling = [scaled('a', 0.5, load), scaled('a', 0.5, load)].map((image) =>
    image.then(() => order.push('scaled')),
  )
  // The same work outside the queue would be done by now.
  for (let time = 0; time < 3; time++) await scaleImage(original, 0.5)
  decoding.resolve()
  await Promise.all([alone, ...scaling])
  expect(order).toEqual(['loaded', 'decoded', 'scaled', 'scaled'])
})
