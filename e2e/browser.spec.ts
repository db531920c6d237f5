import { AxeBuilder } from '@axe-core/playwright'
import { expect, test } from '@playwright/test'

test('the browser has glyphs for every language', async ({ page }) => {
  const letters = [...'ŻąėųßțĂ', '\uE000'] // the last one is in no font: the glyph of missing characters
  const images = await page.evaluate((all) => {
    const canvas = document.createElement('canvas')
    const pen = canvas.getContext('2d')
    return all.map((letter) => {
      pen?.reset()
      if (pen) pen.font = '60px sans-serif'
      pen?.fillText(letter, 20, 100)
      return canvas.toDataURL()
    })
  }, letters)
  expect(new Set(images).size).toBe(letters.length)
})

test('axe finds a control without a name', async ({ page }) => {
  await page.setContent('<html lang="pl"><title>x</title><main><h1>x</h1><button></button></main>')
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id }) => id)).toContain('button-name')
})
