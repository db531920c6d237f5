import { isWallScreen } from './wallScreen.ts'

/** Quiet, as square waves sound loud. */
const VOLUME = 0.15
/** A sound that the browser permits later than this is no news any more. */
const MAX_DELAY_MS = 1_000

/** Frequency and duration. */
export type Tone = { hertz: number; seconds: number }

let audio: AudioContext | undefined
let isWaiting = false

/**
 * Plays tones in sequence. Silent before the first user interaction, when browsers forbid sound; on wall screens, which
 * nobody touches, they are asked whether they permit it.
 */
export function playTones(tones: readonly Tone[]): void {
  const isPermitted = navigator.userActivation?.hasBeenActive
  if ((!isPermitted && !isWallScreen()) || isWaiting) return
  audio ??= new AudioContext()
  const context = audio
  const askedAt = performance.now()
  const resumed = context.resume()
  if (isPermitted) {
    play(context, tones)
    return
  }
  isWaiting = true
  void resumed.then(() => {
    isWaiting = false
    if (performance.now() - askedAt < MAX_DELAY_MS) play(context, tones)
  })
}

function play(context: AudioContext, tones: readonly Tone[]): void {
  const volume = new GainNode(context, { gain: VOLUME })
  volume.connect(context.destination)
  let from = context.currentTime
  for (const { hertz, seconds } of tones) {
    const tone = new OscillatorNode(context, { type: 'square', frequency: hertz })
    tone.connect(volume)
    tone.start(from)
    from += seconds
    tone.stop(from)
  }
}
