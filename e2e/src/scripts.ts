import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'

/** What of the page's code a screen loads: bytes as they travel, and the share of the code that nothing has used yet. */
type ScriptWeight = { gzipped: number; unused: number; files: number }

/**
 * Opens something in a page that has opened nothing before, and weighs the scripts that this took; with `painted` only
 * those that the page had asked for when it was first painted.
 */
export async function measureScripts(page: Page, open: () => Promise<void>, until?: 'painted'): Promise<ScriptWeight> {
  await page.coverage.startJSCoverage({ resetOnNavigation: false })
  await open()
  await page.waitForLoadState('networkidle')
  const early = until && (await page.evaluate(urlsBeforePaint))
  const scripts = (await page.coverage.stopJSCoverage()).filter(
    ({ url }) => url.includes('/assets/') && (early?.includes(url) ?? true),
  )
  // A script that several navigations loaded counts once.
  const once = [...new Map(scripts.map((script) => [script.url, script])).values()]
  const source = (script: (typeof once)[number]) => script.source ?? ''
  const total = once.reduce((sum, script) => sum + source(script).length, 0)
  const unused = once.reduce((sum, script) => sum + unusedOf(source(script).length, script.functions), 0)
  return {
    gzipped: once.reduce((sum, script) => sum + gzipSync(source(script)).length, 0),
    unused: unused / total,
    files: once.length,
  }
}

/** Runs in the page. */
function urlsBeforePaint(): string[] {
  const painted = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.POSITIVE_INFINITY
  const resources = performance.getEntriesByType('resource')
  return resources.filter(({ startTime }) => startTime <= painted).map(({ name }) => name)
}

type Ranges = { ranges: { startOffset: number; endOffset: number; count: number }[] }[]

/** Ranges lie in one another; the innermost decides. */
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
