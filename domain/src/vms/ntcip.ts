import type { ControlMode, SignFault } from '@rogatka/contract/vms.ts'

/*
 * Wire format of NTCIP 1203 (docs/domain.md, Signs), used by the portal's driver and the simulated signs.
 */

const DMS = '1.3.6.1.4.1.1206.4.2.3'

/** Columns of the message table. */
export const column = {
  memoryType: 1,
  number: 2,
  multi: 3,
  owner: 4,
  crc: 5,
  beacon: 6,
  pixelService: 7,
  priority: 8,
  status: 9,
} as const

export const memory = { changeable: 3, current: 5, blank: 7 } as const

/** OID prefix of a message entry, followed by `{column}.{memory}.{number}`. */
export const MESSAGE_ENTRY = `${DMS}.5.8.1`

export const messageOid = (of: keyof typeof column, type: number, number: number): string =>
  `${MESSAGE_ENTRY}.${column[of]}.${type}.${number}`

export const oid = {
  controlMode: `${DMS}.6.1.0`,
  activateMessage: `${DMS}.6.3.0`,
  messageSource: `${DMS}.6.5.0`,
  activateError: `${DMS}.6.17.0`,
  shortError: `${DMS}.9.7.1.0`,
} as const

/** Values of a message's status: states and requests. */
export const messageStatus = {
  notUsed: 1,
  modifying: 2,
  validating: 3,
  valid: 4,
  error: 5,
  modifyRequest: 6,
  validateRequest: 7,
} as const

export const controlMode = { local: 2, external: 3, central: 4, centralOverride: 5 } as const

const controlModeNames: Record<number, ControlMode> = {
  [controlMode.local]: 'local',
  [controlMode.external]: 'external',
  [controlMode.central]: 'central',
  [controlMode.centralOverride]: 'central-override',
}

export const controlModeOf = (value: number): ControlMode => controlModeNames[value] ?? 'other'

/** Errors of a message activation; 2 is none. */
export const activateErrors: Record<number, string> = {
  1: 'other',
  3: 'priority too low',
  4: 'message is not valid',
  5: 'unknown memory type',
  6: 'unknown message number',
  7: 'wrong CRC',
  8: 'syntax of the MULTI string',
  9: 'local control',
  10: 'central control',
  11: 'central override',
}
export const NO_ERROR = 2

/** Bits of the short error status, from the lowest, which is reserved. */
const faultBits: Record<number, SignFault> = {
  1: 'communication',
  2: 'power',
  3: 'attached-device',
  4: 'lamp',
  5: 'pixel',
  6: 'photocell',
  7: 'message',
  8: 'controller',
  9: 'temperature',
  10: 'climate-control',
  11: 'critical-temperature',
  12: 'drum-rotor',
  13: 'door',
  14: 'humidity',
}

export const faultsOf = (bits: number): SignFault[] =>
  Object.entries(faultBits).flatMap(([place, fault]) => (bits & (1 << Number(place)) ? [fault] : []))

export const bitsOf = (faults: readonly SignFault[]): number =>
  Object.entries(faultBits).reduce((bits, [place, fault]) => (faults.includes(fault) ? bits | (1 << +place) : bits), 0)

/** CRC-16 of ISO/IEC 3309 (in catalogues: CRC-16/X-25). */
export function crc16(bytes: Iterable<number>): number {
  let crc = 0xffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ 0x8408 : crc >> 1
  }
  return crc ^ 0xffff
}

/** CRC of a message: over its MULTI string, beacon and pixel service, low byte first. */
export function messageCrc(multi: Uint8Array, beacon = 0, pixelService = 0): number {
  const crc = crc16([...multi, beacon, pixelService])
  return ((crc & 0xff) << 8) | (crc >> 8)
}

/** Duration value for unlimited. */
export const FOR_EVER = 65_535

type Activation = {
  minutes: number
  /** 1 to 255; also the run-time priority of the message. */
  priority: number
  memoryType: number
  number: number
  crc: number
  /** IPv4 address of the requester. */
  source: readonly [number, number, number, number]
}

/** Encodes an activation code of 12 bytes. */
export function activationCode({ minutes, priority, memoryType, number, crc, source }: Activation): Uint8Array {
  const bytes = new Uint8Array(12)
  const view = new DataView(bytes.buffer)
  view.setUint16(0, minutes)
  view.setUint8(2, priority)
  view.setUint8(3, memoryType)
  view.setUint16(4, number)
  view.setUint16(6, crc)
  bytes.set(source, 8)
  return bytes
}

/** Decodes an activation code; undefined if invalid. */
export function readActivationCode(bytes: Uint8Array): Activation | undefined {
  if (bytes.length !== 12) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, 12)
  return {
    minutes: view.getUint16(0),
    priority: view.getUint8(2),
    memoryType: view.getUint8(3),
    number: view.getUint16(4),
    crc: view.getUint16(6),
    source: [view.getUint8(8), view.getUint8(9), view.getUint8(10), view.getUint8(11)],
  }
}

/** Encodes a message id of 5 bytes. */
export function messageId(memoryType: number, number: number, crc: number): Uint8Array {
  const bytes = new Uint8Array(5)
  const view = new DataView(bytes.buffer)
  view.setUint8(0, memoryType)
  view.setUint16(1, number)
  view.setUint16(3, crc)
  return bytes
}

/** Memory type of a message id; undefined if invalid. */
export const memoryTypeOf = (bytes: Uint8Array): number | undefined => (bytes.length === 5 ? bytes[0] : undefined)
