/** Background pages are never painted, and old browsers do not report it. */
const TIMEOUT_MS = 3_000

/** Resolves after the first paint with loaded fonts, so that later downloads delay neither. */
export const firstPaint: Promise<void> = new Promise<void>((resolve) => {
  setTimeout(resolve, TIMEOUT_MS)
  try {
    new PerformanceObserver((list) => {
      if (list.getEntriesByName('first-contentful-paint').length > 0) resolve()
    }).observe({ type: 'paint', buffered: true })
  } catch {
    // Then only the timeout counts.
  }
}).then(async () => {
  await document.fonts.ready
})
