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

/** How long each kind of question waits. */
export type Timing = { command: RetryPolicy; poll: RetryPolicy }

export const TIMING: Timing = {
  /** A command may take its time. */
  command: { timeoutMs: 5_000, retries: 2 },
  /** A poll comes again by itself, and what it finds should be on the screens within 10 s. */
  poll: { timeoutMs: 2_000, retries: 1 },
}

/** The place in the sign's memory that the portal writes; no other is touched. */
const NUMBER = 1
/** What the portal shows goes before schedules of the sign, which usually run lower. */
const PRIORITY = 200
const OWNER = 'Rogatka'
const NOBODY = [0, 0, 0, 0] as const

/** Between two looks whether the sign has validated its message, and so many of them. */
const POLL_MS = 250
const LOOKS = 20

const { Integer, OctetString } = snmp.ObjectType
const row = (column: Parameters<typeof messageOid>[0]) => messageOid(column, memory.changeable, NUMBER)

/** Columns that another centre may have set, and that count for the CRC; a sign may lack either. */
const OPTIONS = ['beacon', 'pixelService'] as const

/** Speaks NTCIP 1203 to a sign (docs/domain.md, Signs). */
export const createNtcip1203 =
  ({ command: COMMAND, poll: POLL }: Timing): OpenDriver =>
  (address, onSilence) => {
    const { get, set } = openSnmp(address, onSilence)

    const integer = async (of: string, signal: AbortSignal) => Number((await get([of], COMMAND, signal))[0])
    const setInteger = (of: string, value: number, signal: AbortSignal) =>
      set([{ oid: of, type: Integer, value }], COMMAND, signal)

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

    /** A sign at whose cabinet somebody works is left to them; any other is taken under the portal's command. */
    async function takeCommand(signal: AbortSignal): Promise<void> {
      const mode = await integer(oid.controlMode, signal)
      if (mode === controlMode.local) throw new SignError('sign-in-local-control', 'local control')
      if (mode !== controlMode.central) await setInteger(oid.controlMode, controlMode.central, signal)
    }

    /** Those of the optional columns that the sign has. */
    async function supportedOptions(signal: AbortSignal): Promise<string[]> {
      const has = (oids: string[]) => get(oids, COMMAND, signal).then(() => true, onlySilence(false))
      const oids = OPTIONS.map(row)
      if (await has(oids)) return oids
      const found: string[] = []
      for (const one of oids) if (await has([one])) found.push(one)
      return found
    }

    /** Writes changeable message 1 and has it validated. Returns the CRC by which it can be activated. */
    async function write(text: Buffer, signal: AbortSignal): Promise<number> {
      await takeCommand(signal)
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
      // A sign that does not let them be changed keeps its values, and the CRC is taken over those.
      for (const one of options) await setInteger(one, 0, signal).catch(onlySilence(undefined))
      await setInteger(row('status'), messageStatus.validateRequest, signal)
      for (let look = 1; ; look++) {
        const read = (await get([row('status'), row('crc'), ...options], COMMAND, signal)).map(Number)
        const [status, found = 0, ...values] = read
        const optionOf = (column: (typeof OPTIONS)[number]) => values[options.indexOf(row(column))] ?? 0
        const crc = messageCrc(text, optionOf('beacon'), optionOf('pixelService'))
        if (status === messageStatus.valid && found === crc) return crc
        if (status === messageStatus.valid)
          throw new SignError('sign-rejected-message', `its CRC is ${found}, not ${crc}`)
        if (status !== messageStatus.validating || look === LOOKS)
          throw new SignError('sign-rejected-message', `not valid: status ${status}`)
        await sleep(POLL_MS, undefined, { signal }).catch(() => {})
      }
    }

    /** One activation: fails with the reason that the sign gives, or because it did not answer. */
    async function tryActivation(code: Uint8Array, signal: AbortSignal): Promise<void> {
      const activateIt = [{ oid: oid.activateMessage, type: OctetString, value: Buffer.from(code) }]
      const refused = await set(activateIt, { ...COMMAND, retries: 0 }, signal).then(
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
     * Activates a message. The sign may have obeyed an activation that it did not answer, and may refuse the next one
     * for it, so after each the message it shows decides.
     */
    async function activate(multi: string, code: Uint8Array, signal: AbortSignal): Promise<void> {
      const isShown = () =>
        status(signal)
          .then(({ shown }) => shown === multi)
          .catch(() => false)
      let wasSilent = false
      for (let attempt = 0; ; attempt++) {
        try {
          return await tryActivation(code, signal)
        } catch (error) {
          if (!(error instanceof SignError)) throw error
          wasSilent ||= error.isNoAnswer
          if (wasSilent && (await isShown())) return
          if (!error.isNoAnswer || attempt >= COMMAND.retries) throw error
        }
      }
    }

    /** A sign in local control may refuse anything with no reason: then its mode is the reason. */
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
      activationCode({ minutes, priority: PRIORITY, memoryType, number: NUMBER, crc, source: NOBODY })

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
              // A sign that restarted meanwhile has lost what was written: it is written once more.
              const status = await integer(row('status'), signal).catch(() => undefined)
              if (status !== messageStatus.notUsed) throw error
            }
          }
        }),

      clear: (signal) =>
        withReason(signal, async () => {
          await takeCommand(signal)
          // The blank message has no CRC; its number is the priority that it then runs with, so that anything goes before it.
          await activate('', codeOf(memory.blank, 0, FOR_EVER), signal)
        }),

      close: () => {},
    }
  }

/** For a refusal the value, because the sign did answer; silence stays an error. */
const onlySilence =
  <T>(value: T) =>
  (error: unknown): T => {
    if (error instanceof SignError && !error.isNoAnswer) return value
    throw error
  }
