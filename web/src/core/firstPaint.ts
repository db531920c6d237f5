/** A page in the background is not painted, and old browsers do not report it. */
const TIMEOUT_MS = 3_000

/** Resolves when the page has been painted for the first time, in its own fonts: what is loaded later delays neither. */
export const firstPaint: Promise<void> = new Promise<void>((resolve) => {
  setTimeout(resolve, TIMEOUT_MS)
  try {
    new PerformanceObserver((list) => {
      if (list.getEntriesByName('first-contentful-paint').length > 0) resolve()
    }).observe({ type: 'paint', buffered: true })
  } catch {
    // The time alone counts then.
  }
}).then(async () => {
  await document.fonts.ready
})
