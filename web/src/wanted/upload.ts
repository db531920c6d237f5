import { ApiFailure } from '../core/failure.ts'
import { stayActive } from '../core/inactivity.ts'
import { session } from '../core/session.ts'
import { createStore, type Store } from '../core/store.ts'
import { MAX_FILE_BYTES, type RejectedRow, type RowKind, rowsOf, textOfFile } from './csv.ts'

/*
 * Upload of a file, outside React, because sending continues while another page is open, and rejected rows stay until
 * dismissed.
 */

type Upload<R> = {
  /** Rows to send, in the order of the file. */
  pending: readonly R[]
  /** Rejected rows, until dismissed. */
  rejected: readonly RejectedRow[]
  /** Rows added since the file was selected. */
  added: number
  /** Progress of the current run; null if none is running. */
  running: { done: number; total: number } | null
  /** Why sending stopped early; unsent rows stay pending. */
  error: unknown
  /** The file exceeds the maximum size. */
  tooLarge: boolean
  /** The file was changed or removed after it was selected. */
  unreadable: boolean
  reading: boolean
}

/** Sends one row; rejects like `call`. */
export type SendRow<R> = (row: R, signal: AbortSignal) => Promise<unknown>

/** The server's rate limit is 50 requests per second; 40 stay below it. */
const SEND_INTERVAL_MS = 25
/** Delay after a 429. */
const RETRY_DELAY_MS = 1_000
/** Minimum interval of progress updates, to limit rendering for ten thousand rows. */
const NOTIFY_INTERVAL_MS = 150

const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** The server's error texts if they concern the row; null otherwise. */
function rejectionMessage(error: unknown): string | null {
  if (!(error instanceof ApiFailure) || error.status < 400 || error.status >= 500 || error.status === 401) return null
  return error.errors.map(({ userMessage }) => userMessage).join(' ') || String(error.status)
}

const isRateLimited = (error: unknown) => error instanceof ApiFailure && error.status === 429

export function createUpload<R extends { line: number }>(kind: RowKind<R>, textOf: (row: R) => string) {
  const empty: Upload<R> = {
    pending: [],
    rejected: [],
    added: 0,
    running: null,
    error: null,
    tooLarge: false,
    unreadable: false,
    reading: false,
  }
  const store: Store<Upload<R>> = createStore(empty)
  let sending: AbortController | null = null

  const change = (part: Partial<Upload<R>>) => store.set((current) => ({ ...current, ...part }))
  const cancel = () => sending?.abort()
  session.subscribe(() => {
    if (session.get().token !== null) return
    cancel()
    store.set(empty)
  })

  async function read(file: Blob) {
    if (file.size > MAX_FILE_BYTES) return change({ tooLarge: true, unreadable: false, error: null })
    const { token } = session.get()
    change({ reading: true, error: null, tooLarge: false, unreadable: false })
    try {
      const { valid, rejected } = await rowsOf(textOfFile(new Uint8Array(await file.arrayBuffer())), kind)
      // The end of the session has cleared the upload; the rows are not for the next user.
      if (session.get().token !== token) return
      if (rejected.length > 0) console.warn(`CSV: ${rejected.length} rows cannot be sent.`, rejected.slice(0, 5))
      store.set({ ...empty, pending: valid, rejected })
    } catch (error) {
      console.warn('CSV: the file cannot be read.', error)
      if (session.get().token === token) change({ reading: false, unreadable: true })
    }
  }

  async function submit(send: SendRow<R>): Promise<number> {
    if (sending) return 0
    sending = new AbortController()
    const { signal } = sending
    const rows = store.get().pending
    const rejected = [...store.get().rejected]
    const addedBefore = store.get().added
    let [at, added, error, updatedAt] = [0, 0, null as unknown, 0]
    const updateProgress = (running: Upload<R>['running']) => {
      // The end of the session has cleared the upload.
      if (session.get().token === null) return
      change({ pending: rows.slice(at), rejected: [...rejected], added: addedBefore + added, running, error })
    }
    updateProgress({ done: 0, total: rows.length })
    while (at < rows.length && !signal.aborted) {
      const row = rows[at] as R
      const startedAt = performance.now()
      try {
        await send(row, signal)
        // A long upload counts as activity.
        stayActive()
        added++
        at++
      } catch (failure) {
        if (signal.aborted) break
        if (isRateLimited(failure)) {
          await delay(RETRY_DELAY_MS)
          continue
        }
        const message = rejectionMessage(failure)
        if (message === null) {
          error = failure
          break
        }
        console.warn(`CSV: line ${row.line} was rejected.`, message)
        rejected.push({ line: row.line, text: textOf(row), message })
        at++
      }
      if (performance.now() - updatedAt > NOTIFY_INTERVAL_MS) {
        updatedAt = performance.now()
        updateProgress({ done: at, total: rows.length })
      }
      await delay(SEND_INTERVAL_MS - (performance.now() - startedAt))
    }
    sending = null
    updateProgress(null)
    return added
  }

  return {
    store,
    read,
    submit,
    /** Stops sending; unsent rows stay pending. */
    cancel,
    remove: (line: number) => change({ pending: store.get().pending.filter((row) => row.line !== line) }),
    clear: () => change({ pending: [], error: null, tooLarge: false, unreadable: false }),
    dismiss: () => change({ rejected: [] }),
  }
}

export type Uploader<R extends { line: number }> = ReturnType<typeof createUpload<R>>
