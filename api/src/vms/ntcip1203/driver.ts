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
import { type OpenDriver, SignError, type SignStatus } from '../driver.ts'
import { openSnmp, type RetryPolicy } from './snmp.ts'

/** Retry policy of commands and polls. */
export type Timing = { command: RetryPolicy; poll: RetryPolicy }

export const TIMING: Timing = {
  command: { timeoutMs: 5_000, retries: 2 },
  /** A poll is repeated anyway, and its result should reach the screens within 10 s. */
  poll: { timeoutMs: 2_000, retries: 1 },
}

/** The number of the message that the portal writes; no other is changed. */
const MESSAGE_NUMBER = 1
/** Higher than the sign's own schedules usually have. */
const PRIORITY = 200
const OWNER = 'Rogatka'
const NO_SOURCE = [0, 0, 0, 0] as const

/** Interval and number of polls for message validation. */
const POLL_INTERVAL_MS = 250
const MAX_POLLS = 20

const { Integer, OctetString } = snmp.ObjectType
const row = (column: Parameters<typeof messageOid>[0]) => messageOid(column, memory.changeable, MESSAGE_NUMBER)

/** Optional columns included in the CRC, which another centre may have set. */
const OPTIONS = ['beacon', 'pixelService'] as const

/** An NTCIP 1203 driver (docs/domain.md, Signs). */
export const createNtcip1203 =
  ({ command: COMMAND, poll: POLL }: Timing): OpenDriver =>
  (address, onNoAnswer) => {
    const { get, set } = openSnmp(address, onNoAnswer)

    const integer = async (objectId: string, signal: AbortSignal) => Number((await get([objectId], COMMAND, signal))[0])
    const setInteger = (objectId: string, value: number, signal: AbortSignal) =>
      set([{ oid: objectId, type: Integer, value }], COMMAND, signal)

    async function status(signal: AbortSignal): Promise<SignStatus> {
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
    }

    /** Takes central control; refuses if the sign is in local control. */
    async function takeCentralControl(signal: AbortSignal): Promise<void> {
      const mode = await integer(oid.controlMode, signal)
      if (mode === controlMode.local) throw new SignError('sign-in-local-control', 'local control')
      if (mode !== controlMode.central) await setInteger(oid.controlMode, controlMode.central, signal)
    }

    /** The optional columns that the sign supports. */
    async function supportedOptions(signal: AbortSignal): Promise<string[]> {
      const has = (oids: string[]) => get(oids, COMMAND, signal).then(() => true, unlessNoAnswer(false))
      const oids = OPTIONS.map(row)
      if (await has(oids)) return oids
      const found: string[] = []
      for (const column of oids) if (await has([column])) found.push(column)
      return found
    }

    /** Writes and validates changeable message 1. Returns the CRC required to activate it. */
    async function write(text: Buffer, signal: AbortSignal): Promise<number> {
      await takeCentralControl(signal)
      await setInteger(row('status'), messageStatus.modifyRequest, signal)
      const status = await integer(row('status'), signal)
      if (status !== messageStatus.modifying)
        throw new SignError('sign-rejected-message', `no message can be written: status ${status}`)
      await set(
        [
          { oid: row('multi'), type: OctetString, value: text },
          { oid: row('owner'), type: OctetString, value: OWNER },
          { oid: row('priority'), type: Integer, value: PRIORITY },
        ],
        COMMAND,
        signal,
      )
      const options = await supportedOptions(signal)
      // If the sign refuses, the CRC includes its current values.
      for (const column of options) await setInteger(column, 0, signal).catch(unlessNoAnswer(undefined))
      await setInteger(row('status'), messageStatus.validateRequest, signal)
      for (let attempt = 1; ; attempt++) {
        const read = (await get([row('status'), row('crc'), ...options], COMMAND, signal)).map(Number)
        const [status, found = 0, ...values] = read
        const optionOf = (column: (typeof OPTIONS)[number]) => values[options.indexOf(row(column))] ?? 0
        const crc = messageCrc(text, optionOf('beacon'), optionOf('pixelService'))
        if (status === messageStatus.valid && found === crc) return crc
        if (status === messageStatus.valid)
          throw new SignError('sign-rejected-message', `its CRC is ${found}, not ${crc}`)
        if (status !== messageStatus.validating || attempt === MAX_POLLS)
          throw new SignError('sign-rejected-message', `not valid: status ${status}`)
        await sleep(POLL_INTERVAL_MS, undefined, { signal }).catch(() => {})
      }
    }

    /**
     * Activates once.
     * @throws SignError with the sign's reason, or if it does not answer
     */
    async function tryActivation(code: Uint8Array, signal: AbortSignal): Promise<void> {
      const varbinds = [{ oid: oid.activateMessage, type: OctetString, value: Buffer.from(code) }]
      const refused = await set(varbinds, { ...COMMAND, retries: 0 }, signal).then(
        () => null,
        (error: SignError) => {
          if (error.isNoAnswer) throw error
          return error
        },
      )
      const error = await integer(oid.activateError, signal)
      if (error === NO_ERROR && !refused) return
      const reason = error === NO_ERROR ? (refused?.message ?? '') : (activateErrors[error] ?? `error ${error}`)
      if (error === 9) throw new SignError('sign-in-local-control', `activation: ${reason}`)
      throw new SignError('sign-rejected-message', `activation: ${reason}`)
    }

    /**
     * Activates a message. The sign may execute an activation without answering, and refuse the repeated one because of
     * it, so the message it shows decides.
     */
    async function activate(multi: string, code: Uint8Array, signal: AbortSignal): Promise<void> {
      const isShown = () =>
        status(signal)
          .then(({ shown }) => shown === multi)
          .catch(() => false)
      let wasUnanswered = false
      for (let attempt = 0; ; attempt++) {
        try {
          return await tryActivation(code, signal)
        } catch (error) {
          if (!(error instanceof SignError)) throw error
          wasUnanswered ||= error.isNoAnswer
          if (wasUnanswered && (await isShown())) return
          if (!error.isNoAnswer || attempt >= COMMAND.retries) throw error
        }
      }
    }

    /** A sign in local control may refuse without a reason: then its mode is the reason. */
    async function withReason(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
      try {
        await work()
      } catch (error) {
        if (!(error instanceof SignError) || error.code !== 'sign-rejected-message') throw error
        const mode = await integer(oid.controlMode, signal).catch(() => undefined)
        throw mode === controlMode.local ? new SignError('sign-in-local-control', error.message) : error
      }
    }

    const codeOf = (memoryType: number, crc: number, minutes: number) =>
      activationCode({ minutes, priority: PRIORITY, memoryType, number: MESSAGE_NUMBER, crc, source: NO_SOURCE })

    return {
      status,

      show: ({ multi, minutes }, signal) =>
        withReason(signal, async () => {
          for (let attempt = 1; ; attempt++) {
            try {
              const crc = await write(Buffer.from(multi, 'latin1'), signal)
              return await activate(multi, codeOf(memory.changeable, crc, minutes ?? FOR_EVER), signal)
            } catch (error) {
              const isRefusal = error instanceof SignError && error.code === 'sign-rejected-message'
              if (!isRefusal || attempt === 2) throw error
              // A sign that restarted has lost the message: written once more.
              const status = await integer(row('status'), signal).catch(() => undefined)
              if (status !== messageStatus.notUsed) throw error
            }
          }
        }),

      clear: (signal) =>
        withReason(signal, async () => {
          await takeCentralControl(signal)
          // The blank message has no CRC; its number is its run-time priority, the lowest.
          await activate('', codeOf(memory.blank, 0, FOR_EVER), signal)
        }),

      close: () => {},
    }
  }

/** Returns the value for a refusal, which is an answer; rethrows if there was no answer. */
const unlessNoAnswer =
  <T>(value: T) =>
  (error: unknown): T => {
    if (error instanceof SignError && !error.isNoAnswer) return value
    throw error
  }
