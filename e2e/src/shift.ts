import type { Page } from '@playwright/test'

/** Records layout shifts from the next page on. The function returned gives their sum since its last call, with the next frames. */
export async function recordShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const shifts: number[] = []
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as unknown as { value: number }[]) shifts.push(entry.value)
    }).observe({ type: 'layout-shift', buffered: true })
    Object.assign(window, { shifts })
  })
  return () =>
    page.evaluate(async () => {
      for (const _ of [1, 2, 3]) await new Promise((done) => requestAnimationFrame(done))
      const { shifts } = window as unknown as { shifts: number[] }
      return shifts.splice(0).reduce((sum, value) => sum + value, 0)
    })
}
