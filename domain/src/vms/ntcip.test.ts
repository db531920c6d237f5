import { expect, test } from 'vitest'
import { activationCode, bitsOf, crc16, FOR_EVER, faultsOf, memory, messageCrc, readActivationCode } from './ntcip.ts'

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
