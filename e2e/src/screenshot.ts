import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { chromium, type Page } from '@playwright/test'
import { violationsOf } from './axe.ts'
import { browserLaunch } from './browser.ts'

const USAGE = `node e2e/src/screenshot.ts <url> <image.png> [options]
  --password-stdin    sign in first, as --user (default: admin), with the password from standard input
  --dark              dark colour scheme
  --size <WxH>        default: 1440x900
  --language <code>   default: pl
  --full              the whole page, not only the viewport
  --click <selector>  click before the screenshot; repeatable, in order
  --wait <selector>   wait for this element before the screenshot
  --axe               list violations found by axe`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    user: { type: 'string', default: 'admin' },
    'password-stdin': { type: 'boolean', default: false },
    dark: { type: 'boolean', default: false },
    size: { type: 'string', default: '1440x900' },
    language: { type: 'string', default: 'pl' },
    full: { type: 'boolean', default: false },
    click: { type: 'string', multiple: true, default: [] },
    wait: { type: 'string' },
    axe: { type: 'boolean', default: false },
  },
})

const [url, file] = positionals
const [width = 0, height = 0] = values.size.split('x').map(Number)
if (!url || !file || !width || !height) {
  console.error(USAGE)
  process.exit(1)
}

const password = values['password-stdin'] ? (await text(process.stdin)).trimEnd() : ''
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
  await storeEntries(page, { lang: values.language }, 'localStorage')
  if (password) await storeEntries(page, { cvToken: await fetchToken(url, password) }, 'sessionStorage')
  await page.goto(url)
  await page.waitForLoadState('load')
  for (const selector of values.click) await page.click(selector, { timeout: 10_000 })
  if (values.wait) await page.waitForSelector(values.wait, { timeout: 30_000 })
  await page.evaluate(() => document.fonts.ready)
  await mkdir(dirname(file), { recursive: true })
  await page.screenshot({ path: file, fullPage: values.full })
  if (values.axe) await report(page)
} finally {
  await browser.close()
}

async function storeEntries(page: Page, entries: Record<string, string>, storage: 'localStorage' | 'sessionStorage') {
  await page.addInitScript(
    ([pairs, where]) => {
      if (location.protocol === 'about:') return
      for (const [key, value] of Object.entries(pairs)) window[where].setItem(key, value)
    },
    [entries, storage] as const,
  )
}

async function fetchToken(from: string, password: string): Promise<string> {
  const response = await fetch(new URL('/api/v1/login', from), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: values.user, password }),
  })
  if (!response.ok) throw new Error(`Sign-in refused: ${await response.text()}`)
  return ((await response.json()) as { token: string }).token
}

async function report(page: Page) {
  for (const line of await violationsOf(page)) console.log(line.replaceAll('\n', '\n  '))
}
