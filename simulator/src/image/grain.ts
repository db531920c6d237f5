import { trafficRandom } from '../random.ts'
import { HEIGHT, WIDTH } from './scene.ts'

/** Sensor noise and vignetting per pixel, computed once. */
const noise = new Int8Array(WIDTH * HEIGHT)
const vignette = new Float32Array(WIDTH * HEIGHT)

const random = trafficRandom('grain')
for (let y = 0, at = 0; y < HEIGHT; y++) {
  for (let x = 0; x < WIDTH; x++, at++) {
    noise[at] = Math.round((random.next() + random.next() + random.next() - 1.5) * 64)
    const [dx, dy] = [x / WIDTH - 0.5, y / HEIGHT - 0.5]
    vignette[at] = 1 - 0.55 * (dx * dx + dy * dy)
  }
}

/** Weights of RGB in the grey of an infrared image, which is slightly green. */
const INFRARED = [0.3, 0.55, 0.15] as const

/** Adds sensor noise and vignetting to RGBA pixels, in place; at night more noise and no colour. */
export const addGrain = (pixels: Buffer, night: boolean): Buffer => {
  const rgba = new Uint8ClampedArray(pixels.buffer, pixels.byteOffset, pixels.length)
  const strength = night ? 0.14 : 0.09
  for (let at = 0, i = 0; i < rgba.length; at++, i += 4) {
    const light = vignette[at] ?? 1
    const grain = (noise[at] ?? 0) * strength
    const [red = 0, green = 0, blue = 0] = [rgba[i], rgba[i + 1], rgba[i + 2]]
    if (night) {
      const grey = (INFRARED[0] * red + INFRARED[1] * green + INFRARED[2] * blue) * light + grain
      rgba[i] = 0.97 * grey
      rgba[i + 1] = grey
      rgba[i + 2] = 0.985 * grey
    } else {
      rgba[i] = red * light + grain
      rgba[i + 1] = green * light + grain
      rgba[i + 2] = blue * light + grain
    }
  }
  return pixels
}
