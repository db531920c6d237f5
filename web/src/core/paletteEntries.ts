import { type ComponentType, useEffect, useRef } from 'react'
import { createStore, useStore } from './store.ts'

/** Groups of the palette to which features add entries; it finds plates, stations and users itself. */
export type PaletteGroup = 'pages' | 'actions'

export type PaletteEntry = {
  /** Unique among all entries and stable: recently used entries are stored by it. No personal data. */
  id: string
  /** Name, by which the entry is found. */
  label: string
  /** Remark at the right, for example the page of a view. */
  note?: string
  /** Its shortcut, as in `Shortcut.key`. */
  shortcut?: string
  Icon?: ComponentType<{ size?: number }>
  /** URL within the portal, which can also be opened in a new tab, or what to do. */
  open: string | (() => void)
}

type Layer = { group: PaletteGroup; entries: readonly PaletteEntry[] }

const layers = createStore<readonly Layer[]>([])

/** The registered entries of a group, in order of registration. */
export const useRegisteredEntries = (group: PaletteGroup): PaletteEntry[] =>
  useStore(layers).flatMap((layer) => (layer.group === group ? layer.entries : []))

/** Adds entries to the palette (Ctrl+K) while the component is mounted. */
export function usePaletteEntries(group: PaletteGroup, entries: readonly PaletteEntry[]): void {
  const latest = useRef(entries)
  useEffect(() => {
    latest.current = entries
  })
  // Without functions, which may be new in every render.
  const content = JSON.stringify(entries)
  // biome-ignore lint/correctness/useExhaustiveDependencies: registers again when the content changes
  useEffect(() => {
    const run = (at: number) => {
      const open = latest.current[at]?.open
      if (typeof open === 'function') open()
    }
    const registered = latest.current.map((entry, at) => ({
      ...entry,
      open: typeof entry.open === 'string' ? entry.open : () => run(at),
    }))
    const layer = { group, entries: registered }
    layers.set((current) => [...current, layer])
    return () => layers.set((current) => current.filter((other) => other !== layer))
  }, [group, content])
}
