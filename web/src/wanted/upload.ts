import { ApiFailure } from '../core/failure.ts'
import { stayActive } from '../core/inactivity.ts'
import { session } from '../core/session.ts'
import { createStore, type Store } from '../core/store.ts'
import { MAX_FILE_BYTES, type RejectedRow, type RowKind, rowsOf, textOfFile } from './csv.ts'

/*
 * A file on its way into a list. It lives outside React, because rows go on being sent while the operator reads another
 * page, and because what was refused has to stay until it was read.
 */

type Upload<R> = {
  /** Rows that wait to be sent, in the order of the file. */
  pending: readonly R[]
  /** Rows that did not go in, until they are dismissed. */
  refused: readonly RejectedRow[]
  /** Rows that went in since the file was chosen. */
  added: number
  /** How many there are to send in this run; null while none is on. */
  running: { done: number; total: number } | null
  /** Why sending stopped before its end; what was not sent waits. */
  error: unknown
  /** The file is larger than can be read. */
  tooLarge: boolean
  reading: boolean
}

/** Sends one row; rejects as calls do. */
export type SendRow<R> = (row: R, signal: AbortSignal) => Promise<unknown>

/** The server takes 50 a second from a user: a little less never meets its limit. */
const SEND_INTERVAL_MS = 25
/** When it was met all the same. */
const RETRY_DELAY_MS = 1_000
/** The screen is told so often; ten thousand rows would keep it busy. */
const NOTIFY_INTERVAL_MS = 150

const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** What the server said of a row that it does not take; null: it is not about the row. */
function refusal(error: unknown): string | null {
  if (!(error instanceof ApiFailure) || error.status < 400 || error.status >= 500 || error.status === 401) return null
  return error.errors.map(({ userMessage }) => userMessage).join(' ') || String(error.status)
}

const isTooFast = (error: unknown) => error instanceof ApiFailure && error.status === 429

export function createUpload<R extends { line: number }>(kind: RowKind<R>, textOf: (row: R) => string) {
  const empty: Upload<R> = {
    pending: [],
    refused: [],
    added: 0,
    running: null,
    error: null,
    tooLarge: false,
    reading: false,
  }
  const store: Store<Upload<R>> = createStore(empty)
  let sending: AbortController | null = null

  const change = (part: Partial<Upload<R>>) => store.set((now) => ({ ...now, ...part }))
  const cancel = () => sending?.abort()
  session.subscribe(() => {
    if (session.get().token !== null) return
    cancel()
    store.set(empty)
  })

  async function read(file: Blob) {
    if (file.size > MAX_FILE_BYTES) return change({ tooLarge: true })
    change({ reading: true })
    const { good, refused } = await rowsOf(textOfFile(new Uint8Array(await file.arrayBuffer())), kind)
    if (refused.length > 0) console.warn(`CSV: ${refused.length} rows cannot be sent.`, refused.slice(0, 5))
    store.set({ ...empty, pending: good, refused })
  }

  async function submit(send: SendRow<R>): Promise<number> {
    if (sending) return 0
    sending = new AbortController()
    const { signal } = sending
    const rows = store.get().pending
    const refused = [...store.get().refused]
    const before = store.get().added
    let [at, added, error, told] = [0, 0, null as unknown, 0]
    const tell = (running: Upload<R>['running']) => {
      // A session that ended took all of it with it.
      if (session.get().token === null) return
      change({ pending: rows.slice(at), refused: [...refused], added: before + added, running, error })
    }
    tell({ done: 0, total: rows.length })
    while (at < rows.length && !signal.aborted) {
      const row = rows[at] as R
      const began = performance.now()
      try {
        await send(row, signal)
        // A long file takes minutes; whoever waits for it is not away.
        stayActive()
        added++
        at++
      } catch (failure) {
        if (signal.aborted) break
        if (isTooFast(failure)) {
          await delay(RETRY_DELAY_MS)
          continue
        }
        const said = refusal(failure)
        if (said === null) {
          error = failure
          break
        }
        console.warn(`CSV: line ${row.line} was refused.`, said)
        refused.push({ line: row.line, text: textOf(row), said })
        at++
      }
      if (performance.now() - told > NOTIFY_INTERVAL_MS) {
        told = performance.now()
        tell({ done: at, total: rows.length })
      }
      await delay(SEND_INTERVAL_MS - (performance.now() - began))
    }
    sending = null
    tell(null)
    return added
  }

  return {
    store,
    read,
    submit,
    /** Stops; what was not sent yet waits again. */
    cancel,
    remove: (line: number) => change({ pending: store.get().pending.filter((row) => row.line !== line) }),
    clear: () => change({ pending: [], error: null, tooLarge: false }),
    dismiss: () => change({ refused: [] }),
  }
}

export type Uploader<R extends { line: number }> = ReturnType<typeof createUpload<R>>
