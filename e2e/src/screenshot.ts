import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium, type Page } from '@playwright/test'
import { browserLaunch } from './browser.ts'

const USAGE = `node e2e/src/screenshot.ts <url> <picture.png> [options]
  --password <text>   sign in first, as --user (admin when absent)
  --dark              dark colours
  --size <WxH>        1440x900 when absent
  --language <code>   pl when absent
  --full              the whole page, not the window
  --click <selector>  click in turn before the picture; may be repeated
  --wait <selector>   take the picture once this is there
  --axe               list what axe finds wrong`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    user: { type: 'string', default: 'admin' },
    password: { type: 'string' },
    dark: { type: 'boolean', default: false },
    size: { type: 'string', default: '1440x900' },
    language: { type: 'string', default: 'pl' },
    full: { type: 'boolean', default: false },
    click: { type: 'string', multiple: true, default: [] },
    wait: { type: 'string' },
    axe: { type: 'boolean', default: false },
  },
})

const [url, picture] = positionals
const [width = 0, height = 0] = values.size.split('x').map(Number)
if (!url || !picture || !width || !height) {
  console.error(USAGE)
  process.exit(1)
}

const browser = await chromium.launch(await browserLaunch())
try {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: values.dark ? 'dark' : 'light',
    locale: 'pl-PL',
    timezoneId: 'Europe/Warsaw',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  page.on('console', (message) => message.type() === 'error' && console.error(`console: ${message.text()}`))
  page.on('pageerror', (error) => console.error(`page: ${error.message}`))
  page.on('requestfailed', (request) => console.error(`request: ${request.url()} ${request.failure()?.errorText}`))
  await remember(page, { lang: values.language }, 'localStorage')
  if (values.password) await remember(page, { cvToken: await token(url, values.password) }, 'sessionStorage')
  await page.goto(url)
  await page.waitForLoadState('load')
  for (const selector of values.click) await page.click(selector, { timeout: 10_000 })
  if (values.wait) await page.waitForSelector(values.wait, { timeout: 30_000 })
  await page.evaluate(() => document.fonts.ready)
  await mkdir(dirname(picture), { recursive: true })
  await page.screenshot({ path: picture, fullPage: values.full })
  if (values.axe) await report(page)
} finally {
  await browser.close()
}

async function remember(page: Page, entries: Record<string, string>, storage: 'localStorage' | 'sessionStorage') {
  await page.addInitScript(
    ([pairs, where]) => {
      if (location.protocol === 'about:') return
      for (const [key, value] of Object.entries(pairs)) window[where].setItem(key, value)
    },
    [entries, storage] as const,
  )
}

async function token(from: string, password: string): Promise<string> {
  const answer = await fetch(new URL('/api/v1/login', from), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: values.user, password }),
  })
  if (!answer.ok) throw new Error(`Sign-in refused: ${await answer.text()}`)
  return ((await answer.json()) as { token: string }).token
}

async function report(page: Page) {
  const { AxeBuilder } = await import('@axe-core/playwright')
  const { violations } = await new AxeBuilder({ page }).analyze()
  for (const { id, help, nodes } of violations) {
    console.log(`${id}: ${help}`)
    for (const node of nodes)
      console.log(`  ${node.target.join(' ')}\n    ${node.failureSummary?.replaceAll('\n', '\n    ')}`)
  }
}
