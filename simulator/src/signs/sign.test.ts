import {
  activationCode,
  FOR_EVER,
  memory,
  messageCrc,
  messageId,
  messageStatus,
  NO_ERROR,
} from '@rogatka/domain/vms/ntcip.ts'
import { expect, test } from 'vitest'
import { createSign, isMulti } from './sign.ts'

const TEXT = Buffer.from('[jp3][jl3]KONTROLA')

const SOURCE = [0, 0, 0, 0] as const
const code = (crc: number, minutes = FOR_EVER) =>
  Buffer.from(activationCode({ minutes, priority: 200, memoryType: memory.changeable, number: 1, crc, source: SOURCE }))

/** A sign with a fake clock. */
function createTestSign() {
  let now = 0
  const sign = createSign(() => now)
  const advance = (ms: number) => {
    now += ms
  }
  const write = (multi: Buffer) => {
    sign.setStatus(messageStatus.modifyRequest)
    sign.write({ multi })
    sign.setStatus(messageStatus.validateRequest)
  }
  return { sign, advance, write }
}

test('a message is written, validated for a short time, and activated only by its CRC', () => {
  const { sign, advance, write } = createTestSign()
  expect(sign.write({ multi: TEXT })).toBe(false)
  write(TEXT)
  expect(sign.row().status).toBe(messageStatus.validating)
  expect(sign.activate(code(messageCrc(TEXT)))).toBe(false)
  expect(sign.activateError()).toBe(4)
  advance(1_000)
  expect(sign.row()).toMatchObject({ status: messageStatus.valid, crc: messageCrc(TEXT) })
  expect(sign.activate(code(1))).toBe(false)
  expect(sign.activateError()).toBe(7)
  expect(sign.activate(code(messageCrc(TEXT)))).toBe(true)
  expect(sign.activateError()).toBe(NO_ERROR)
  expect(sign.shows()).toBe(TEXT.toString())
  expect(sign.source()).toEqual(Buffer.from(messageId(memory.changeable, 1, messageCrc(TEXT))))
})

test('a message ends when its duration is over, and after a power loss', () => {
  const { sign, advance, write } = createTestSign()
  write(TEXT)
  advance(1_000)
  sign.activate(code(messageCrc(TEXT), 2))
  advance(119_000)
  expect(sign.shows()).not.toBe('')
  advance(1_000)
  expect(sign.shows()).toBe('')
  expect(sign.source()).toEqual(Buffer.from(messageId(memory.blank, 1, 0)))
  sign.activate(code(messageCrc(TEXT)))
  sign.restart()
  expect(sign.shows()).toBe('')
})

test('rejects a MULTI string with an unknown or unclosed tag', () => {
  expect(['', 'A', '[nl]', '[g3][jp3][jl3]A[nl]B', '[[A]]'].map(isMulti)).not.toContain(false)
  expect(['[zz]', '[nl', '[jp9]A'].map(isMulti)).not.toContain(true)
})
