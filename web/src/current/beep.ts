import { isMuted } from '../core/sound.ts'

/** A square wave is loud; this is heard and does not startle. */
const VOLUME = 0.15

/** How high, and for how long. */
type Tone = { hertz: number; seconds: number }

const ARRIVAL: Tone[] = [{ hertz: 1_000, seconds: 0.1 }]
/** Rises and falls three times: nobody takes it for an arrival, and it is over within a second. */
const WANTED: Tone[] = Array.from({ length: 6 }, (_, at) => ({ hertz: at % 2 === 0 ? 700 : 1_400, seconds: 0.15 }))

let audio: AudioContext | undefined

/** A short tone: a vehicle has come. */
export const beep = (): void => play(ARRIVAL)

/** The sound of wanted vehicles alone. */
export const alarm = (): void => play(WANTED)

/** Silent when muted, and before the first click, when browsers forbid sound. */
function play(tones: readonly Tone[]): void {
  if (isMuted() || !navigator.userActivation?.hasBeenActive) return
  audio ??= new AudioContext()
  const { currentTime, destination } = audio
  void audio.resume()
  const volume = new GainNode(audio, { gain: VOLUME })
  volume.connect(destination)
  let from = currentTime
  for (const { hertz, seconds } of tones) {
    const tone = new OscillatorNode(audio, { type: 'square', frequency: hertz })
    tone.connect(volume)
    tone.start(from)
    from += seconds
    tone.stop(from)
  }
}
