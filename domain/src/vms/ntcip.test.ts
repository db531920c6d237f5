import { expect, test } from 'vitest'
import {
  activateErrors,
  activationCode,
  bitsOf,
  controlModeOf,
  crc16,
  FOR_EVER,
  faultsOf,
  memory,
  memoryTypeOf,
  messageCrc,
  messageId,
  messageOid,
  oid,
  readActivationCode,
} from './ntcip.ts'

const ascii = (text: string) => new TextEncoder().encode(text)

test('the CRC gives the published check value of CRC-16/X-25', () => {
  expect(crc16(ascii('123456789'))).toBe(0x906e)
})

test('message CRC covers MULTI, beacon and pixel service, low byte first', () => {
  // The last two characters of the check text stand for beacon and pixel service.
  expect(messageCrc(ascii('1234567'), 0x38, 0x39)).toBe(0x6e90)
  // A receiver that runs over the message and its CRC, in the order of transmission, gets the constant of ISO/IEC 3309.
  const multi = ascii('[jp3][jl3]KONTROLA[nl]WX12345')
  const crc = messageCrc(multi)
  expect(crc16([...multi, 0, 0, crc >> 8, crc & 0xff]) ^ 0xffff).toBe(0xf0b8)
  expect(messageCrc(multi)).not.toBe(messageCrc(multi, 1))
})

test('activation code has 12 bytes, high byte first, and round-trips', () => {
  const activation = {
    minutes: FOR_EVER,
    priority: 255,
    memoryType: memory.changeable,
    number: 1,
    crc: 0x1234,
    source: [10, 0, 0, 7],
  } as const
  const bytes = activationCode(activation)
  expect(Buffer.from(bytes).toString('hex')).toBe('ffffff03000112340a000007')
  expect(readActivationCode(bytes)).toEqual(activation)
  expect(readActivationCode(bytes.subarray(1))).toBeUndefined()
  // Blanking for 5 minutes: the blank message has no CRC.
  const blank = {
    minutes: 5,
    priority: 3,
    memoryType: memory.blank,
    number: 1,
    crc: 0,
    source: [127, 0, 0, 1],
  } as const
  expect(Buffer.from(activationCode(blank)).toString('hex')).toBe('0005030700010000' + '7f000001')
})

test('short error status bits round-trip to sign faults', () => {
  expect(faultsOf(0)).toEqual([])
  expect(faultsOf(0b10_1000_0010_0000)).toEqual(['pixel', 'critical-temperature', 'door'])
  expect(bitsOf(['pixel', 'critical-temperature', 'door'])).toBe(0b10_1000_0010_0000)
  // The lowest is reserved.
  expect(faultsOf(1)).toEqual([])
})

/*
 * Numbers of NTCIP 1203 v03: the message table is 5.8, the sign control 6, the error status 9.7 of the node dms.
 */
test('objects have the OIDs of the standard', () => {
  const dms = [1, 3, 6, 1, 4, 1, 1206, 4, 2, 3].join('.')
  expect(messageOid('multi', memory.changeable, 1)).toBe(`${dms}.5.8.1.3.3.1`)
  expect(messageOid('status', memory.current, 2)).toBe(`${dms}.5.8.1.9.5.2`)
  expect(oid.controlMode).toBe(`${dms}.6.1.0`)
  expect(oid.activateMessage).toBe(`${dms}.6.3.0`)
  expect(oid.messageSource).toBe(`${dms}.6.5.0`)
  expect(oid.activateError).toBe(`${dms}.6.17.0`)
  expect(oid.shortError).toBe(`${dms}.9.7.1.0`)
})

test('control modes from 2 are named, all others are other', () => {
  const named = [2, 3, 4, 5].map(controlModeOf)
  expect(named).toEqual(['local', 'external', 'central', 'central-override'])
  expect([0, 1, 6].map(controlModeOf)).toEqual(['other', 'other', 'other'])
})

test.each([
  [1, /other/],
  [3, /priority/],
  [4, /message.*valid/],
  [5, /memory/],
  [6, /number/],
  [7, /CRC/],
  [8, /MULTI/],
  [9, /local/],
  [10, /central/],
  [11, /override/],
])('activation error %s is described', (value, description) => {
  expect(activateErrors[value]).toMatch(description)
})

test.each([
  [1, 'communication'],
  [2, 'power'],
  [3, 'attached-device'],
  [4, 'lamp'],
  [5, 'pixel'],
  [6, 'photocell'],
  [7, 'message'],
  [8, 'controller'],
  [9, 'temperature'],
  [10, 'climate-control'],
  [11, 'critical-temperature'],
  [12, 'drum-rotor'],
  [13, 'door'],
  [14, 'humidity'],
] as const)('bit %s of the short error status is %s', (bit, fault) => {
  expect(faultsOf(2 ** bit)).toEqual([fault])
  expect(bitsOf([fault])).toBe(2 ** bit)
})

test('message id has 5 bytes, high byte first, and begins with the memory type', () => {
  const bytes = messageId(memory.changeable, 0x0102, 0x3456)
  expect(Buffer.from(bytes).toString('hex')).toBe('0301023456')
  expect(memoryTypeOf(bytes)).toBe(3)
  expect([memoryTypeOf(bytes.subarray(1)), memoryTypeOf(new Uint8Array(6))]).toEqual([undefined, undefined])
})
