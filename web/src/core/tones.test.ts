import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const TONE = { hertz: 700, seconds: 0.1 }
const isWallScreen = vi.hoisted(() => vi.fn(() => true))
vi.mock('./wallScreen.ts', () => ({ isWallScreen }))

const user = { hasBeenActive: false }
let started: number
/** Permits sound, as the browser does after a click. */
let permit: () => void

beforeEach(() => {
  started = 0
  user.hasBeenActive = false
  const permitted = new Promise<void>((resolve) => {
    permit = resolve
  })
  class Node {
    connect(): void {}
    start(): void {
      started++
    }
    stop(): void {}
  }
  class Context extends EventTarget {
    currentTime = 0
    resume = () => permitted
  }
  vi.stubGlobal('navigator', { userActivation: user })
  vi.stubGlobal('AudioContext', Context)
  vi.stubGlobal('GainNode', Node)
  vi.stubGlobal('OscillatorNode', Node)
  vi.resetModules()
})

afterEach(() => vi.unstubAllGlobals())

test('a wall screen plays a tone once the browser permits sound', async () => {
  const { playTones } = await import('./tones.ts')
  playTones([TONE, TONE])
  expect(started).toBe(0)
  permit()
  await vi.waitFor(() => expect(started).toBe(2))
})

test('a tone after a click is heard while an earlier one still waits for permission', async () => {
  const { playTones } = await import('./tones.ts')
  playTones([TONE])
  playTones([TONE])
  expect(started).toBe(0)
  user.hasBeenActive = true
  playTones([TONE])
  expect(started).toBe(1)
})

test('nothing is heard before the first click on a page that is no wall screen', async () => {
  isWallScreen.mockReturnValueOnce(false)
  const { playTones } = await import('./tones.ts')
  playTones([TONE])
  permit()
  await Promise.resolve()
  expect(started).toBe(0)
})
