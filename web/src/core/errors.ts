import { ApiFailure } from './failure.ts'
import { createStore, useStore } from './store.ts'

/** Error messages disappear after this time. */
export const BANNER_MS = 10_000

type ErrorMessage = {
  error: unknown
  /** What failed, as a sentence. */
  title?: string
  /** Shows a retry button. */
  retry?: () => void
}

/** Error shown above the page; null: none. */
export const errorMessage = createStore<ErrorMessage | null>(null)

export const useErrorMessage = () => useStore(errorMessage)

/** Shows an error, or an error code (`required-parameter-missing`), above the page. */
export const showError = (error: unknown, more: Omit<ErrorMessage, 'error'> = {}): void =>
  errorMessage.set({ error, ...more })

/** Removes the error above the page; every request of the user does so. */
export const clearErrors = (): void => errorMessage.set(null)

/** Error texts by field, for these fields. */
export const fieldErrors = (error: unknown, fields: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    errorsOf(error).flatMap(({ path, userMessage }) =>
      path !== null && fields.includes(path) ? [[path, userMessage]] : [],
    ),
  )

const errorsOf = (error: unknown) => (error instanceof ApiFailure ? error.errors : [])
