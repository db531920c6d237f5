/** Quiet, as square waves sound loud. */
const VOLUME = 0.15

/** Frequency and duration. */
export type Tone = { hertz: number; seconds: number }

let audio: AudioContext | undefined

/** Plays tones in sequence. Silent before the first user interaction, when browsers forbid sound. */
export function playTones(tones: readonly Tone[]): void {
  if (!navigator.userActivation?.hasBeenActive) return
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
