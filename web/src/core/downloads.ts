import { callLink } from './call.ts'
import { showError } from './errors.ts'
import { session } from './session.ts'
import { createStore, useStore } from './store.ts'

/*
 * Files on their way to the operator's disk. They live outside React, because a long report goes on while the operator
 * reads another page.
 */

export type Download = {
  /** What comes, among those of its place: one of its buttons. */
  what: string
  bytes: number
  cancel: () => void
}

const running = createStore<Readonly<Record<string, Download>>>({})

/** What is on its way for this place; null: nothing. */
export const useDownload = (place: string): Download | null => useStore(running)[place] ?? null

/** Less than that is not worth drawing anew. */
const PROGRESS_STEP_BYTES = 50_000

type DownloadRequest = {
  /** Where it was asked for: one at a time comes there. */
  place: string
  what: string
  /** What failed, in a sentence, should it fail. */
  failure: string
  /** Asks the server for the file's link. */
  order: (signal: AbortSignal) => Promise<{ link: string }>
}

/** Orders a file, fetches it and saves it under the name that the server gave it. A failure goes above the page. */
export async function download({ place, what, failure, order }: DownloadRequest): Promise<void> {
  if (running.get()[place]) return
  const ending = new AbortController()
  const { signal } = ending
  const tell = (bytes: number) =>
    running.set((now) =>
      bytes - (now[place]?.bytes ?? -PROGRESS_STEP_BYTES) < PROGRESS_STEP_BYTES
        ? now
        : { ...now, [place]: { what, bytes, cancel: () => ending.abort() } },
    )
  tell(0)
  try {
    const { link } = await order(signal)
    const { bytes, name } = await callLink(link, { signal, onBytes: tell, background: true })
    save(bytes, name)
  } catch (error) {
    if (!signal.aborted) showError(error, { title: failure })
  } finally {
    running.set(({ [place]: _, ...others }) => others)
  }
}

session.subscribe(() => {
  if (session.get().token === null) for (const { cancel } of Object.values(running.get())) cancel()
})

/** Some browsers begin to read only a while after the click. */
const KEPT_MS = 60_000

/** As if the operator had followed a link to the file. */
function save(bytes: Blob, name: string): void {
  const url = URL.createObjectURL(bytes)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS)
}
