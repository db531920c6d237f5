import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { themes } from './theme.ts'

const css = readFileSync(new URL('../../../../web/src/core/tokens.css', import.meta.url), 'utf8')

/** The tokens of one theme, by name. */
const tokens = (selector: string): Record<string, string> => {
  const block = css.slice(css.lastIndexOf(selector))
  return Object.fromEntries(
    [...block.slice(0, block.indexOf('}')).matchAll(/--([\w-]+):\s*(#\w{6})/g)].map(([, name, hex]) => [
      name,
      hex?.toLowerCase(),
    ]),
  )
}

test.each(['light', 'dark'] as const)('charts have the colours of the %s page', (name) => {
  const { series, steps, font: _, ...single } = themes[name]
  const page = tokens(`[data-mantine-color-scheme='${name}'] {`)
  expect(series).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9].map((place) => page[`c${place}`]))
  expect(steps).toEqual([1, 2, 3, 4, 5, 6, 7].map((place) => page[`q${place}`]))
  const { surface, line, edge, text, accent, red, amber } = page
  const mixed = { text2: page['text-2'], text3: page['text-3'], accentSoft: page['accent-soft'] }
  expect(single).toEqual({ surface, line, edge, text, accent, red, amber, ...mixed })
})
