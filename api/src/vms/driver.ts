import type { ErrorCode } from '@rogatka/contract/errors.ts'
import type { ControlMode, SignFault } from '@rogatka/contract/vms.ts'

/** What a sign says of itself. */
export type SignStatus = {
  /** MULTI; empty when it is blank. */
  shown: string
  faults: SignFault[]
  controlMode: ControlMode
}

type SignMessage = {
  /** MULTI. */
  multi: string
  /** After so many minutes the sign takes it down by itself, should nobody tell it to; null: never. */
  minutes: number | null
}

/** How the portal speaks to one sign. Calls are made one after the other; the signal ends the one under way. */
export type SignDriver = {
  status: (signal: AbortSignal) => Promise<SignStatus>
  show: (message: SignMessage, signal: AbortSignal) => Promise<void>
  clear: (signal: AbortSignal) => Promise<void>
  close: () => void
}

/** What a driver needs to know of a sign. */
export type SignAddress = { id: number; host: string; port: number; community: string }

/** Hears of every attempt that met no answer, so that silence shows before the last one has failed. */
export type OnNoAnswer = (reason: string) => void

export type OpenDriver = (address: SignAddress, onSilence: OnNoAnswer) => SignDriver

type SignErrorCode = Extract<
  ErrorCode,
  'sign-did-not-answer' | 'sign-unavailable' | 'sign-in-local-control' | 'sign-rejected-message'
>

/** A sign that did not do what it was told, or did not answer. The reason is for the log and for support. */
export class SignError extends Error {
  readonly code: SignErrorCode

  constructor(code: SignErrorCode, reason: string) {
    super(reason)
    this.code = code
  }

  /** Nobody knows what the sign did. */
  get isNoAnswer(): boolean {
    return this.code === 'sign-did-not-answer'
  }
}
