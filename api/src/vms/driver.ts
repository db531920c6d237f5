import type { ErrorCode } from '@rogatka/contract/errors.ts'
import type { ControlMode, SignFault } from '@rogatka/contract/vms.ts'

/** The status of a sign. */
export type SignStatus = {
  /** MULTI; empty if blank. */
  shown: string
  faults: SignFault[]
  controlMode: ControlMode
}

type SignMessage = {
  /** MULTI. */
  multi: string
  /** Minutes after which the sign clears it by its own timer; null: never. */
  minutes: number | null
}

/** Protocol driver of one sign. Calls are sequential; the signal cancels the current one. */
export type SignDriver = {
  status: (signal: AbortSignal) => Promise<SignStatus>
  show: (message: SignMessage, signal: AbortSignal) => Promise<void>
  clear: (signal: AbortSignal) => Promise<void>
  close: () => void
}

/** The address of a sign. */
export type SignAddress = { id: number; host: string; port: number; community: string }

/** Called after every attempt without an answer, so that the sign is shown as offline before the last retry. */
export type OnNoAnswer = (reason: string) => void

export type OpenDriver = (address: SignAddress, onNoAnswer: OnNoAnswer) => SignDriver

type SignErrorCode = Extract<
  ErrorCode,
  'sign-did-not-answer' | 'sign-unavailable' | 'sign-in-local-control' | 'sign-rejected-message'
>

/** A sign refused a request or did not answer. The reason is for logs and support. */
export class SignError extends Error {
  readonly code: SignErrorCode

  constructor(code: SignErrorCode, reason: string) {
    super(reason)
    this.code = code
  }

  /** Whether the outcome is unknown. */
  get isNoAnswer(): boolean {
    return this.code === 'sign-did-not-answer'
  }
}
