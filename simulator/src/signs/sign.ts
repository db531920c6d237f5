import type { SignFault } from '@rogatka/contract/vms.ts'
import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import {
  bitsOf,
  controlMode,
  memory,
  messageCrc,
  messageId,
  messageStatus,
  NO_ERROR,
  readActivationCode,
} from '@rogatka/domain/vms/ntcip.ts'

/** Injected faults of a simulated sign. */
export type FaultInjection = {
  /** Delay of responses, in ms. */
  lateMs?: number
  /** Does not respond. */
  silent?: boolean
  /** Computes a wrong CRC. */
  wrongCrc?: boolean
  /** Under local control at its cabinet. */
  local?: boolean
  /** Refuses activation with this dmsActivateMsgError. */
  activateError?: number
  faults?: SignFault[]
}

const TAGS = /^(g\d{1,3}(,\d+,\d+)?|jp[2-4]|jl[2-5]|nl\d?|np|fo\d{0,2}|pt\d*(o\d*)?)$/i
/** Duration of the validation of a message. */
const VALIDATION_MS = 300

/** True if this sign supports every tag of a MULTI string. */
export function isMulti(text: string): boolean {
  const tags = text
    .replaceAll('[[', '')
    .replaceAll(']]', '')
    .matchAll(/\[([^\]]*)(\]?)/g)
  for (const [, tag = '', end] of tags) if (end === '' || !TAGS.test(tag)) return false
  return true
}

/** A row of the message table. */
export type Row = {
  multi: Buffer
  owner: Buffer
  beacon: number
  pixelService: number
  priority: number
  status: number
  crc: number
}
const emptyRow = (status: number): Row => ({
  multi: Buffer.alloc(0),
  owner: Buffer.alloc(0),
  beacon: 0,
  pixelService: 0,
  priority: 1,
  status,
  crc: 0,
})

/** Creates a simulated NTCIP 1203 sign with one changeable message. */
export function createSign(now: () => number = Date.now) {
  let injection: FaultInjection = {}
  let mode: number = controlMode.central
  let error = NO_ERROR
  let validAt = 0
  const row = emptyRow(messageStatus.notUsed)
  let shown: { row: Row; until: number } | null = null

  const current = () => {
    if (shown && shown.until <= now()) shown = null
    return shown
  }
  const status = () => {
    if (row.status === messageStatus.validating && validAt <= now()) {
      const isValid = isMulti(row.multi.toString('latin1'))
      row.status = isValid ? messageStatus.valid : messageStatus.error
      row.crc = messageCrc(row.multi, row.beacon, row.pixelService) ^ (injection.wrongCrc ? 0x0101 : 0)
    }
    return row.status
  }

  return {
    injectFaults: (changes: FaultInjection) => {
      injection = changes
      mode = changes.local ? controlMode.local : controlMode.central
    },
    lateMs: () => injection.lateMs ?? 0,
    isSilent: () => injection.silent ?? false,
    /** MULTI string of the current message; empty: blank. */
    shows: () => current()?.row.multi.toString('latin1') ?? '',
    owner: () => row.owner.toString('latin1'),
    /** Simulates a power loss. */
    restart: () => {
      shown = null
      row.status = messageStatus.notUsed
    },

    controlMode: () => mode,
    setControlMode: (value: number): boolean => {
      if (injection.local) return false
      mode = value
      return true
    },
    activateError: () => error,
    shortError: () => bitsOf(injection.faults ?? []),
    source: (): Buffer => {
      const { crc } = current()?.row ?? {}
      const id = crc === undefined ? messageId(memory.blank, 1, 0) : messageId(memory.changeable, 1, crc)
      return Buffer.from(id)
    },
    /** Row of the current message. */
    current: (): Row => current()?.row ?? emptyRow(messageStatus.valid),

    row: () => {
      // Completes a validation that is due, which sets the CRC.
      status()
      return { ...row }
    },
    setStatus: (value: number): boolean => {
      if (value === messageStatus.modifyRequest) row.status = messageStatus.modifying
      else if (value === messageStatus.validateRequest && row.status === messageStatus.modifying) {
        row.status = messageStatus.validating
        validAt = now() + VALIDATION_MS
      } else return false
      return true
    },
    /** Refuses unless the status is modifying. */
    write: (changes: Partial<Omit<Row, 'status' | 'crc'>>): boolean => {
      if (row.status !== messageStatus.modifying) return false
      Object.assign(row, changes)
      return true
    },
    activate: (bytes: Buffer): boolean => {
      const code = readActivationCode(bytes)
      error = activationError(code)
      if (!code || error !== NO_ERROR) return false
      const until = code.minutes === 65_535 ? Infinity : now() + code.minutes * MINUTE_MS
      shown = code.memoryType === memory.blank ? null : { row: { ...row }, until }
      return true
    },
  }

  function activationError(code: ReturnType<typeof readActivationCode>): number {
    if (injection.activateError !== undefined) return injection.activateError
    if (!code) return 1
    if (mode === controlMode.local) return 9
    if (code.memoryType === memory.blank) return NO_ERROR
    if (code.memoryType !== memory.changeable) return 5
    if (code.number !== 1) return 6
    if (status() !== messageStatus.valid) return 4
    return code.crc === row.crc ? NO_ERROR : 7
  }
}

export type SimulatedSign = ReturnType<typeof createSign>
