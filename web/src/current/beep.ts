import { isMuted } from '../core/sound.ts'

const HERTZ = 1_000
const SECONDS = 0.1
/** A square wave is loud; this is heard and does not startle. */
const VOLUME = 0.15

let audio: AudioContext | undefined

/** A short tone: a vehicle has come. Silent when muted, and before the first click, when browsers forbid sound. */
export function beep(): void {
  if (isMuted() || !navigator.userActivation?.hasBeenActive) return
  audio ??= new AudioContext()
  const { currentTime, destination } = audio
  void audio.resume()
  const tone = new OscillatorNode(audio, { type: 'square', frequency: HERTZ })
  const volume = new GainNode(audio, { gain: VOLUME })
  tone.connect(volume).connect(destination)
  tone.start(currentTime)
  tone.stop(currentTime + SECONDS)
}
