import { expect, test } from '@playwright/test'
import { COLOR_RULES, violationsOf } from './src/axe.ts'

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

test('axe finds a control without a name and text of little contrast', async ({ page }) => {
  const pale = '<h1 style="color: #ccc; background: #fff">Stacje</h1>'
  await page.setContent(`<html lang="pl"><title>x</title><main>${pale}<button></button></main>`)
  const rulesOf = async (rules?: string[]) => (await violationsOf(page, rules)).map((line) => line.split(':')[0])
  expect(await rulesOf()).toEqual(['button-name', 'color-contrast'])
  expect(await rulesOf(COLOR_RULES)).toEqual(['color-contrast'])
})
