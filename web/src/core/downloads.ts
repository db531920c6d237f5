import { callLink } from './call.ts'
import { showError } from './errors.ts'
import { session } from './session.ts'
import { createStore, useStore } from './store.ts'

/*
 * Running downloads. Kept outside React, so that a long report continues while the user visits other pages.
 */

export type Download = {
  /** The button of the group that started it. */
  item: string
  bytes: number
  cancel: () => void
}

const running = createStore<Readonly<Record<string, Download>>>({})

/** The running download of this group; null without one. */
export const useDownload = (group: string): Download | null => useStore(running)[group] ?? null

/** Smaller progress does not re-render. */
const PROGRESS_STEP_BYTES = 50_000

type DownloadRequest = {
  /** Where it was started; one download at a time per group. */
  group: string
  item: string
  /** What failed, as a sentence. */
  failure: string
  /** Requests the file's link from the server. */
  requestLink: (signal: AbortSignal) => Promise<{ link: string }>
}

/** Requests a file, downloads it and saves it under the server's file name. Shows errors above the page. */
export async function download({ group, item, failure, requestLink }: DownloadRequest): Promise<void> {
  if (running.get()[group]) return
  const controller = new AbortController()
  const { signal } = controller
  const setProgress = (bytes: number) =>
    running.set((current) =>
      bytes - (current[group]?.bytes ?? -PROGRESS_STEP_BYTES) < PROGRESS_STEP_BYTES
        ? current
        : { ...current, [group]: { item, bytes, cancel: () => controller.abort() } },
    )
  setProgress(0)
  try {
    const { link } = await requestLink(signal)
    const { bytes, name } = await callLink(link, { signal, onBytes: setProgress })
    saveFile(bytes, name)
  } catch (error) {
    if (!signal.aborted) showError(error, { title: failure })
  } finally {
    running.set(({ [group]: _, ...others }) => others)
  }
}

session.subscribe(() => {
  if (session.get().token === null) for (const { cancel } of Object.values(running.get())) cancel()
})

/** Some browsers read the URL only some time after the click. */
const URL_TTL_MS = 60_000

/** Like a click on a link to the file. */
export function saveFile(bytes: Blob, name: string): void {
  const url = URL.createObjectURL(bytes)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), URL_TTL_MS)
}
