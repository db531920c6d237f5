import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'

/** Scripts loaded by a page: transferred bytes, and the share of the code that was not executed. */
type ScriptWeight = { gzipped: number; unused: number; files: number }

/**
 * Measures the scripts that a new page loads in `open`; with `painted` only those requested before first contentful
 * paint.
 */
export async function measureScripts(page: Page, open: () => Promise<void>, until?: 'painted'): Promise<ScriptWeight> {
  await page.coverage.startJSCoverage({ resetOnNavigation: false })
  await open()
  await page.waitForFunction(areScriptsLoaded)
  const early = until && (await page.evaluate(urlsBeforePaint))
  const scripts = (await page.coverage.stopJSCoverage()).filter(
    ({ url }) => url.includes('/assets/') && (early?.includes(url) ?? true),
  )
  // A script that several navigations loaded counts once.
  const distinct = [...new Map(scripts.map((script) => [script.url, script])).values()]
  const source = (script: (typeof distinct)[number]) => script.source ?? ''
  const total = distinct.reduce((sum, script) => sum + source(script).length, 0)
  const unused = distinct.reduce((sum, script) => sum + unusedOf(source(script).length, script.functions), 0)
  return {
    gzipped: distinct.reduce((sum, script) => sum + gzipSync(source(script)).length, 0),
    unused: unused / total,
    files: distinct.length,
  }
}

/** Runs in the page: whether no script has arrived for half a second. An open stream is no script. */
function areScriptsLoaded(): boolean {
  const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  const ends = resources.filter(({ name }) => name.includes('/assets/')).map(({ responseEnd }) => responseEnd)
  return document.readyState === 'complete' && performance.now() - Math.max(0, ...ends) > 500
}

/** Runs in the page. */
function urlsBeforePaint(): string[] {
  const painted = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.POSITIVE_INFINITY
  const resources = performance.getEntriesByType('resource')
  return resources.filter(({ startTime }) => startTime <= painted).map(({ name }) => name)
}

type Ranges = { ranges: { startOffset: number; endOffset: number; count: number }[] }[]

/** Ranges are nested; the innermost has priority. */
function unusedOf(length: number, functions: Ranges): number {
  const used = new Uint8Array(length).fill(1)
  const ranges = functions.flatMap(({ ranges }) => ranges)
  for (const { startOffset, endOffset, count } of ranges.sort(
    (a, b) => b.endOffset - b.startOffset - (a.endOffset - a.startOffset),
  )) {
    used.fill(count > 0 ? 1 : 0, startOffset, endOffset)
  }
  return used.reduce((sum, isUsed) => sum + 1 - isUsed, 0)
}
