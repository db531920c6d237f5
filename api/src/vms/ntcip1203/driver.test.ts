import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createNtcip1203, TIMING } from './driver.ts'
import { openSnmp } from './snmp.ts'
import { startSimulatedSigns } from './testing.ts'

const MESSAGE = { multi: '[jp3][jl3]KONTROLA[nl]WX 12345', minutes: 3 }
const { signal } = new AbortController()

async function oneSign() {
  const { addresses, tell } = await startSimulatedSigns(1)
  const missingResponses: string[] = []
  const driver = createNtcip1203(TIMING)(addresses[0] as (typeof addresses)[number], (reason) =>
    missingResponses.push(reason),
  )
  const shows = async () => (await tell({ ask: 1 })).shows
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => null,
      ({ code, message }) => ({ code, message }),
    )
  return { driver, silences: missingResponses, tell, shows, failure }
}

test('writes, validates, activates and reads back a message, and blanks the sign', async () => {
  const { driver, tell, shows } = await oneSign()
  expect(await driver.status(signal)).toEqual({ shown: '', faults: [], controlMode: 'central' })
  await driver.show(MESSAGE, signal)
  expect(await tell({ ask: 1 })).toEqual({ id: 1, shows: MESSAGE.multi, owner: 'Rogatka' })
  expect((await driver.status(signal)).shown).toBe(MESSAGE.multi)
  await driver.show({ multi: '[g3]', minutes: null }, signal)
  expect(await shows()).toBe('[g3]')
  await driver.clear(signal)
  expect(await shows()).toBe('')
})

test('reports why a sign refused, and leaves its message unchanged', async () => {
  const { driver, tell, shows, failure } = await oneSign()
  await driver.show(MESSAGE, signal)
  const other = { multi: 'X', minutes: null }

  await tell({ trouble: { id: 1, local: true } })
  expect((await driver.status(signal)).controlMode).toBe('local')
  expect((await failure(driver.show(other, signal)))?.code).toBe('sign-in-local-control')
  expect((await failure(driver.clear(signal)))?.code).toBe('sign-in-local-control')

  await tell({ trouble: { id: 1, wrongCrc: true } })
  expect(await failure(driver.show(other, signal))).toMatchObject({
    code: 'sign-rejected-message',
    message: expect.stringContaining('CRC'),
  })
  await tell({ trouble: { id: 1, activateError: 3 } })
  expect((await failure(driver.show(other, signal)))?.message).toBe('activation: priority too low')
  await tell({ trouble: { id: 1 } })
  expect((await failure(driver.show({ multi: '[zz]X', minutes: null }, signal)))?.message).toMatch(/not valid/)
  expect(await shows()).toBe(MESSAGE.multi)

  await tell({ trouble: { id: 1, faults: ['power', 'door'] } })
  expect((await driver.status(signal)).faults).toEqual(['power', 'door'])
})

test('waits for a late answer; reports each timeout at once, and can be aborted', async () => {
  const { driver, tell, silences: missingResponses, failure } = await oneSign()
  await tell({ trouble: { id: 1, lateMs: 400 } })
  expect((await driver.status(signal)).shown).toBe('')
  expect(missingResponses).toEqual([])

  await tell({ trouble: { id: 1, silent: true } })
  expect((await failure(driver.status(signal)))?.code).toBe('sign-did-not-answer')
  // Once per attempt: the first long before the last has failed.
  expect(missingResponses).toHaveLength(2)
  // During a request: an uncaught error of its socket would end the process, and this test.
  expect((await failure(driver.show(MESSAGE, AbortSignal.timeout(100))))?.code).toBe('sign-did-not-answer')
})

test('an aborted request rejects once, without uncaught errors', async () => {
  const silent = createSocket('udp4').bind(0, '127.0.0.1')
  onTestFinished(() => void silent.close())
  await once(silent, 'listening')
  const { port } = silent.address()
  const giving = new AbortController()
  const asked = openSnmp({ id: 1, host: '127.0.0.1', port, community: 'public' }, () => {}).get(
    ['1.3.6.1.2.1.1.1.0'],
    { timeoutMs: 60_000, retries: 0 },
    giving.signal,
  )
  await once(silent, 'message')
  giving.abort()
  await expect(asked).rejects.toMatchObject({ code: 'sign-did-not-answer' })
  // Errors of closing its socket come a tick later, and would be uncaught.
  await pause(50)
})
