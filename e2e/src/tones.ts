import type { Page } from '@playwright/test'

/** Frequencies of each sound in Hz. Only those of a test's own kind are compared: other tests may leave alarms open. */
export const TONES = { hit: [700, 1400], highAlarm: [980, 780] }

/**
 * Records started tones; call before the page is opened. The returned function returns the frequencies of those that are among
 * `hertz`.
 */
export async function recordTones(page: Page, hertz: readonly number[]) {
  await page.addInitScript(() => {
    const tones: number[] = []
    Object.assign(window, { tones })
    const { start } = OscillatorNode.prototype
    OscillatorNode.prototype.start = function (when = 0) {
      tones.push(this.frequency.value)
      start.call(this, when)
    }
  })
  return async () => {
    const tones = await page.evaluate(() => (window as unknown as { tones: number[] }).tones)
    return tones.filter((tone) => hertz.includes(tone))
  }
}

/**
 * Counts the sounds of a kind that are to be played, in the task that decides it: their tones begin later. Call before the page
 * is opened; the count starts again with each page.
 */
export async function recordSounds(page: Page, kind: string) {
  await page.addInitScript((kind) => {
    const sounds: string[] = []
    Object.assign(window, { sounds })
    const { request } = LockManager.prototype
    LockManager.prototype.request = function (this: LockManager, name: string, ...rest: unknown[]) {
      if (name.startsWith(`rogatka-tones-${kind}-`)) sounds.push(name)
      return Reflect.apply(request, this, [name, ...rest])
    } as typeof request
  }, kind)
  return () => page.evaluate(() => (window as unknown as { sounds: string[] }).sounds.length)
}
