import { isWallScreen } from './wallScreen.ts'

/** Quiet, as square waves sound loud. */
const VOLUME = 0.15
/** A sound that the browser permits later than this is outdated. */
const MAX_DELAY_MS = 1_000

/** Frequency and duration. */
export type Tone = { hertz: number; seconds: number }

let audio: AudioContext | undefined
let isWaiting = false
/** End of the last tone, in the time of `audio`. */
let endsAt = 0

/** Whether tones can be heard: browsers forbid sound before the first user interaction. */
export const canPlayTones = (): boolean => navigator.userActivation?.hasBeenActive ?? false

/** Whether tones may be heard: on wall screens, which nobody touches, only the browser knows. */
export const mayPlayTones = (): boolean => canPlayTones() || isWallScreen()

/**
 * Plays tones in sequence, after those that still sound. Silent before the first user interaction, when browsers forbid
 * sound; on wall screens only the browser knows whether it permits sound.
 */
export function playTones(tones: readonly Tone[]): void {
  const isPermitted = canPlayTones()
  // A tone that waits for permission blocks further ones only until a click.
  if (!mayPlayTones() || (isWaiting && !isPermitted)) return
  audio ??= new AudioContext()
  const context = audio
  const requestedAt = performance.now()
  const resumed = context.resume()
  if (isPermitted) {
    play(context, tones)
    return
  }
  isWaiting = true
  void resumed.then(() => {
    isWaiting = false
    if (performance.now() - requestedAt < MAX_DELAY_MS) play(context, tones)
  })
}

/**
 * Calls back with whether the browser forbids sound on a wall screen, within a second and when that changes, until `signal`.
 * Chromium permits it after a click or with its autoplay policy.
 */
export function watchSoundPermission(onChange: (isForbidden: boolean) => void, signal: AbortSignal): void {
  audio ??= new AudioContext()
  const context = audio
  const report = () => onChange(context.state !== 'running')
  context.addEventListener('statechange', report, { signal })
  void context.resume()
  setTimeout(() => !signal.aborted && report(), MAX_DELAY_MS)
}

function play(context: AudioContext, tones: readonly Tone[]): void {
  const volume = new GainNode(context, { gain: VOLUME })
  volume.connect(context.destination)
  let from = Math.max(context.currentTime, endsAt)
  for (const { hertz, seconds } of tones) {
    const tone = new OscillatorNode(context, { type: 'square', frequency: hertz })
    tone.connect(volume)
    tone.start(from)
    from += seconds
    tone.stop(from)
  }
  endsAt = from
}

/** Plays tones unless another tab of the browser is playing those of the same name. */
export async function playInOneTab(name: string, tones: readonly Tone[]): Promise<void> {
  const { locks } = navigator as { locks?: LockManager }
  if (!locks) return playTones(tones)
  await locks.request(`rogatka-tones-${name}`, { ifAvailable: true }, async (lock) => {
    if (!lock) return
    playTones(tones)
    const seconds = tones.reduce((sum, tone) => sum + tone.seconds, 0)
    await new Promise((resolve) => setTimeout(resolve, 1_000 * seconds))
  })
}
