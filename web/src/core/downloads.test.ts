import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { download } from './downloads.ts'
import { clearErrors, shownError } from './errors.ts'

const saved: string[] = []
let fetched = 0

beforeEach(() => {
  vi.stubGlobal('document', {
    createElement: () => ({
      click() {
        saved.push(this.download)
      },
      download: '',
    }),
  })
  vi.stubGlobal('fetch', async () => {
    fetched += 1
    return new Response('a;b', { headers: { 'content-disposition': 'attachment; filename="list.csv"' } })
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  clearErrors()
  saved.length = 0
  fetched = 0
})

const linked = async () => ({ link: '/reports/xyz' })
const csv = { place: 'archive', what: 'csv', failure: 'No report.' }

test('an ordered file is fetched and saved under the name that the server gave it', async () => {
  await download({ ...csv, order: linked })
  expect(saved).toEqual(['list.csv'])
  expect(shownError.get()).toBeNull()
})

test('while one file comes to a place another is not ordered there', async () => {
  let orders = 0
  const order = () => {
    orders += 1
    return linked()
  }
  await Promise.all([download({ ...csv, order }), download({ ...csv, order })])
  expect([orders, fetched]).toEqual([1, 1])
  await download({ ...csv, order })
  expect(orders).toBe(2)
})

test('an order that is refused is told above the page, and nothing is saved', async () => {
  const error = new Error('refused')
  await download({ ...csv, order: () => Promise.reject(error) })
  expect(shownError.get()).toEqual({ error, title: 'No report.' })
  expect(saved).toEqual([])
})
