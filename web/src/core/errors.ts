import { ApiFailure } from './failure.ts'
import { createStore, useStore } from './store.ts'

/** After so long a banner goes by itself. */
export const BANNER_MS = 10_000

type ShownError = {
  error: unknown
  /** What failed, in a sentence. */
  title?: string
  /** Offers to try again. */
  retry?: () => void
}

/** What the area above the page says; null: nothing. */
export const shownError = createStore<ShownError | null>(null)

export const useShownError = () => useStore(shownError)

/** Puts an error, or the code of one (`required-parameter-missing`), into the area above the page. */
export const showError = (error: unknown, more: Omit<ShownError, 'error'> = {}): void =>
  shownError.set({ error, ...more })

/** Empties the area above the page; every call that the operator asks for does it. */
export const clearErrors = (): void => shownError.set(null)

/** What a refusal says of these fields, to stand beside them. */
export const fieldErrors = (error: unknown, fields: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    errorsOf(error).flatMap(({ path, userMessage }) =>
      path !== null && fields.includes(path) ? [[path, userMessage]] : [],
    ),
  )

const errorsOf = (error: unknown) => (error instanceof ApiFailure ? error.errors : [])
