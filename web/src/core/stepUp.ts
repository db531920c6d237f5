import { createQuestion } from './question.ts'
import { useStore } from './store.ts'

const question = createQuestion<undefined>()

/** The calls that the server refuses until the user has been verified again. */
export const waitingCalls = question.waiting

/** Asks the user to prove who they are; returns whether they have. */
export const askStepUp = (signal?: AbortSignal): Promise<boolean> => question.ask(undefined, signal)

/** Whether a call waits for the user. */
export const useStepUpAsked = (): boolean => useStore(waitingCalls).length > 0

/** Lets the waiting calls go on, or fail. */
export const answerStepUp = question.answer
