import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type { RunOptions } from 'axe-core'

const require = createRequire(import.meta.url)

/** Also the type of `window.axe`, once it is loaded. */
type Axe = typeof import('axe-core')

/** Rules of axe that depend on colours. */
export const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/**
 * What axe finds on a page without frames, a line for each element: the rule, the element and what to change. Elements
 * that pass are not described, which takes most of axe's time.
 */
export async function violationsOf(page: Page, rules?: string[]): Promise<string[]> {
  const options: RunOptions = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) }
  if (!(await page.evaluate(() => 'axe' in window)))
    await page.evaluate(await readFile(require.resolve('axe-core/axe.min.js'), 'utf8'))
  const violations = await page.evaluate(async (options) => {
    const { axe } = window as unknown as { axe: Axe }
    return (await axe.run(document, options)).violations
  }, options)
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary}`),
  )
}
