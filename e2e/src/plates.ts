import type { BrowserContext, Request } from '@playwright/test'

/*
 * Finds plates in what browsers and servers keep: addresses, referrers, titles, history, storage, console and log lines.
 */

/** Plates that stations and users of the tests have sent in this worker. */
const sent = new Set<string>()

/** Shorter ones occur by chance. */
const MIN_LENGTH = 5

const normalise = (text: string): string => text.toUpperCase().replaceAll(/[\s+-]/g, '')

/** Fields of bodies that hold plates, or texts that users search for. */
const FIELDS = ['plateLpr', 'plates', 'beginning', 'search']

/** Records the plates of a body that was sent as JSON. */
export function recordPlates(body: unknown): void {
  if (Array.isArray(body)) for (const item of body) recordPlates(item)
  if (typeof body !== 'object' || body === null) return
  for (const [field, value] of Object.entries(body)) {
    if (FIELDS.includes(field)) for (const plate of [value].flat()) recordPlate(plate)
    else if (typeof value === 'object') recordPlates(value)
  }
}

function recordPlate(value: unknown): void {
  const plate = normalise(String(value ?? '').split(':')[0] ?? '')
  if (plate.length >= MIN_LENGTH && /\d/.test(plate)) sent.add(plate)
}

/** Logs what a page keeps, so that it can be collected without asking the page. */
function logKept(): void {
  const log = (kind: string, ...values: unknown[]) =>
    console.debug('kept', kind, ...values.map((value) => JSON.stringify(value)))
  const { setItem } = Storage.prototype
  Storage.prototype.setItem = function (key, value) {
    log('storage', key, value)
    setItem.call(this, key, value)
  }
  for (const method of ['pushState', 'replaceState'] as const) {
    const original = history[method]
    history[method] = (state, unused, url) => {
      log('history', state, String(url))
      original.call(history, state, unused, url)
    }
  }
  const title = Object.getOwnPropertyDescriptor(Document.prototype, 'title') as PropertyDescriptor
  Object.defineProperty(document, 'title', {
    configurable: true,
    get: () => title.get?.call(document) as string,
    set: (text: string) => {
      log('title', text)
      title.set?.call(document, text)
    },
  })
}

/** What was entered and not sent yet survives a reload in the storage of the browser, with its plates. */
const UNSENT = /^console: kept storage "(?:draft:|inspections:|inspection-random:)/

/** Collects what the pages of a context keep. Returns the lines so far that hold a plate. */
export async function watchPlates(context: BrowserContext, log: () => string): Promise<() => string[]> {
  const lines: string[] = []
  const logged = log().length
  await context.addInitScript(logKept)
  context.on('console', (message) => lines.push(`console: ${message.text()}`))
  context.on('request', (request) => {
    lines.push(`request: ${request.url()}`)
    const { referer } = request.headers()
    if (referer) lines.push(`referrer: ${referer}`)
    if (request.method() !== 'GET') recordPlates(jsonOf(request))
  })
  context.on('page', (page) => page.on('framenavigated', (frame) => lines.push(`address: ${frame.url()}`)))
  return () => {
    const plates = [...sent]
    const all = [
      ...new Set([
        ...lines,
        ...log()
          .slice(logged)
          .split('\n')
          .map((line) => `log: ${line}`),
      ]),
    ]
    return all.filter((line) => {
      if (UNSENT.test(line)) return false
      const text = normalise(decode(line))
      return plates.some((plate) => text.includes(plate))
    })
  }
}

function jsonOf(request: Request): unknown {
  try {
    return request.postDataJSON() as unknown
  } catch {
    // A file or form.
    return null
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
