import { session } from '../session.ts'
import { createStore, useStore } from '../store.ts'

type PaletteState = {
  /** The element that had the focus before. */
  origin: Element | null
  /** What was typed while the script was loading. */
  typed: string
}

const opened = createStore<PaletteState | null>(null)

session.subscribe(() => {
  if (session.get().token === null) opened.set(null)
})

export const usePaletteOpen = (): boolean => useStore(opened) !== null
export const isPaletteOpen = (): boolean => opened.get() !== null

export const earlyInput = (): string => opened.get()?.typed ?? ''
export const setEarlyInput = (typed: string): void => opened.set((current) => current && { ...current, typed })

/** Opens the palette, unless a modal dialog is open. `fromDialog`: it replaces that dialog, which is being closed. */
export function openPalette({ fromDialog = false } = {}): void {
  if (isPaletteOpen() || (!fromDialog && document.querySelector('[aria-modal="true"], dialog:modal'))) return
  opened.set({ origin: document.activeElement, typed: '' })
}

/** Closes the palette. The focus returns to where it was, unless something else has taken it. */
export function closePalette({ keepsFocus = false } = {}): void {
  const { origin = null } = opened.get() ?? {}
  opened.set(null)
  if (!keepsFocus && origin instanceof HTMLElement && origin.isConnected) origin.focus({ preventScroll: true })
}
