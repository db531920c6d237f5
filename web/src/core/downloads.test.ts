import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { download } from './downloads.ts'
import { clearErrors, errorMessage } from './errors.ts'
import { endSession, startSession } from './session.ts'
import { answerStepUp, waitingCalls } from './stepUp.ts'

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

const createLink = async () => ({ link: '/reports/xyz' })
const csv = { group: 'archive', item: 'csv', failure: 'No report.' }

test('saves a requested file under the name given by the server', async () => {
  await download({ ...csv, requestLink: createLink })
  expect(saved).toEqual(['list.csv'])
  expect(errorMessage.get()).toBeNull()
})

test('allows one download at a time in each place', async () => {
  let linkRequests = 0
  const requestLink = () => {
    linkRequests += 1
    return createLink()
  }
  await Promise.all([download({ ...csv, requestLink }), download({ ...csv, requestLink })])
  expect([linkRequests, fetched]).toEqual([1, 1])
  await download({ ...csv, requestLink })
  expect(linkRequests).toBe(2)
})

test('shows a refused download above the page and saves nothing', async () => {
  const error = new Error('refused')
  await download({ ...csv, requestLink: () => Promise.reject(error) })
  expect(errorMessage.get()).toEqual({ error, title: 'No report.' })
  expect(saved).toEqual([])
})

test('asks for a step-up that the link needs, and then fetches the file again', async () => {
  startSession('token-1')
  const answers = [
    Response.json([{ path: null, code: 'step-up-required', userMessage: 'Confirm.' }], { status: 403 }),
    new Response('a;b', { headers: { 'content-disposition': 'attachment; filename="list.csv"' } }),
  ]
  vi.stubGlobal('fetch', async () => answers.shift())
  const downloading = download({ ...csv, requestLink: createLink })
  await vi.waitFor(() => expect(waitingCalls.get()).toHaveLength(1))
  answerStepUp(true)
  await downloading
  expect(saved).toEqual(['list.csv'])
  endSession(null)
})
