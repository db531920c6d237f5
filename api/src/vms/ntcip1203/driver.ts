import { setTimeout as sleep } from 'node:timers/promises'
import {
  activateErrors,
  activationCode,
  controlMode,
  controlModeOf,
  FOR_EVER,
  faultsOf,
  memory,
  memoryTypeOf,
  messageCrc,
  messageOid,
  messageStatus,
  NO_ERROR,
  oid,
} from '@rogatka/domain/vms/ntcip.ts'
import snmp from 'net-snmp'
import { type OpenDriver, SignFailure } from '../driver.ts'
import { openSnmp, type Patience } from './snmp.ts'

/** A command may take its time. */
const COMMAND: Patience = { timeoutMs: 5_000, retries: 2 }
/** A poll comes again by itself, and what it finds should be on the screens within 10 s. */
const POLL: Patience = { timeoutMs: 2_000, retries: 1 }

/** The place in the sign's memory that the portal writes; no other is touched. */
const NUMBER = 1
/** What the portal shows goes before schedules of the sign, which usually run lower. */
const PRIORITY = 200
const OWNER = 'Rogatka'
const NOBODY = [0, 0, 0, 0] as const

/** Between two looks whether the sign has validated its message, and so many of them. */
const LOOK_EVERY_MS = 250
const LOOKS = 20

const { Integer, OctetString } = snmp.ObjectType
const row = (column: Parameters<typeof messageOid>[0]) => messageOid(column, memory.changeable, NUMBER)

/** Speaks NTCIP 1203 to a sign (docs/domain.md, Signs). */
export const openNtcip1203: OpenDriver = (address, onSilence) => {
  const { get, set } = openSnmp(address, onSilence)

  const integer = async (of: string, signal: AbortSignal) => Number((await get([of], COMMAND, signal))[0])
  const setInteger = (of: string, value: number, signal: AbortSignal) =>
    set([{ oid: of, type: Integer, value }], COMMAND, signal)

  /** A sign at whose cabinet somebody works is left to them; any other is taken under the portal's command. */
  async function takeCommand(signal: AbortSignal): Promise<void> {
    const mode = await integer(oid.controlMode, signal)
    if (mode === controlMode.local) throw new SignFailure('sign-in-local-control', 'local control')
    if (mode !== controlMode.central) await setInteger(oid.controlMode, controlMode.central, signal)
  }

  async function activate(memoryType: number, number: number, crc: number, minutes: number, signal: AbortSignal) {
    const code = activationCode({ minutes, priority: PRIORITY, memoryType, number, crc, source: NOBODY })
    const activateIt = [{ oid: oid.activateMessage, type: OctetString, value: Buffer.from(code) }]
    const refused = await set(activateIt, COMMAND, signal).then(
      () => null,
      (error: SignFailure) => {
        if (error.isSilence) throw error
        return error
      },
    )
    const error = await integer(oid.activateError, signal)
    if (error === NO_ERROR && !refused) return
    const reason = error === NO_ERROR ? (refused?.message ?? '') : (activateErrors[error] ?? `error ${error}`)
    if (error === 9) throw new SignFailure('sign-in-local-control', `activation: ${reason}`)
    throw new SignFailure('sign-rejected-message', `activation: ${reason}`)
  }

  return {
    async status(signal) {
      const current = messageOid('multi', memory.current, 1)
      const [mode, source, bits, multi] = await get(
        [oid.controlMode, oid.messageSource, oid.shortError, current],
        POLL,
        signal,
      )
      const blank = memoryTypeOf(source as Buffer) === memory.blank
      return {
        controlMode: controlModeOf(Number(mode)),
        faults: faultsOf(Number(bits)),
        shown: blank ? '' : (multi as Buffer).toString('latin1'),
      }
    },

    async show({ multi, minutes }, signal) {
      const text = Buffer.from(multi, 'latin1')
      const crc = messageCrc(text)
      await setInteger(row('status'), messageStatus.modifyRequest, signal)
      await takeCommand(signal)
      const status = await integer(row('status'), signal)
      if (status !== messageStatus.modifying)
        throw new SignFailure('sign-rejected-message', `no message can be written: status ${status}`)
      await set(
        [
          { oid: row('multi'), type: OctetString, value: text },
          { oid: row('owner'), type: OctetString, value: OWNER },
          { oid: row('priority'), type: Integer, value: PRIORITY },
        ],
        COMMAND,
        signal,
      )
      await setInteger(row('status'), messageStatus.validateRequest, signal)
      for (let look = 1; ; look++) {
        const [status, found] = (await get([row('status'), row('crc')], COMMAND, signal)).map(Number)
        if (status === messageStatus.valid && found === crc) break
        if (status === messageStatus.valid)
          throw new SignFailure('sign-rejected-message', `its CRC is ${found}, not ${crc}`)
        if (status !== messageStatus.validating || look === LOOKS)
          throw new SignFailure('sign-rejected-message', `not valid: status ${status}`)
        await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => {})
      }
      await activate(memory.changeable, NUMBER, crc, minutes ?? FOR_EVER, signal)
    },

    async clear(signal) {
      await takeCommand(signal)
      // The blank message has no CRC; its number is the priority that it then runs with, so that anything goes before it.
      await activate(memory.blank, 1, 0, FOR_EVER, signal)
    },

    close: () => {},
  }
}
