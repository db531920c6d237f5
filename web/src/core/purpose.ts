import { hasCode } from './failure.ts'
import { createQuestion } from './question.ts'
import { useStore } from './store.ts'

const question = createQuestion<string | null>()

/** The calls that the server refuses until the user has said why they look for plates. */
export const callsWithoutPurpose = question.waiting

/**
 * Asks the user why they look for plates; returns whether they have said so. `plate`: what is searched for, as in the
 * query; null: unknown, or no plate.
 */
export const askPurpose: (plate: string | null, signal?: AbortSignal) => Promise<boolean> = question.ask

/** Whether a call waits for a purpose. */
export const usePurposeAsked = (): boolean => useStore(callsWithoutPurpose).length > 0

/** Lets the waiting calls go on, or fail. */
export const answerPurpose = question.answer

/** Whether the server refuses a call until the user has said why. */
export const lacksPurpose = (error: unknown): boolean => hasCode(error, 'purpose-missing')

type FailedCall = { error: unknown; plate: string | null; retry: () => unknown }

/** Repeats what the background has failed to do; asks first why, if that is missing. */
export async function retryWithPurpose({ error, plate, retry }: FailedCall): Promise<void> {
  if (!lacksPurpose(error) || (await askPurpose(plate))) retry()
}
