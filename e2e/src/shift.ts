import type { Page } from '@playwright/test'

/** Records layout shifts from the next page on. The function returned gives their sum since its last call, with the next frames. */
export async function recordShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const shifts: number[] = []
    const record = (entries: PerformanceEntryList) => {
      for (const entry of entries as unknown as { value: number }[]) shifts.push(entry.value)
    }
    const observer = new PerformanceObserver((list) => record(list.getEntries()))
    observer.observe({ type: 'layout-shift', buffered: true })
    const takeShifts = () => {
      // A busy page gets them later than its next frames; they would count as those of the next call.
      record(observer.takeRecords())
      return shifts.splice(0)
    }
    Object.assign(window, { takeShifts })
  })
  return () =>
    page.evaluate(async () => {
      for (const _ of [1, 2, 3]) await new Promise((done) => requestAnimationFrame(done))
      const { takeShifts } = window as unknown as { takeShifts: () => number[] }
      return takeShifts().reduce((sum, value) => sum + value, 0)
    })
}
