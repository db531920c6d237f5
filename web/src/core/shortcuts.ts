import { useEffect, useRef } from 'react'
import { readStored, writeStored } from './browserStorage.ts'
import { createStore, useStore } from './store.ts'

export type Shortcut = {
  /** `m`, `Shift+W`, `Ctrl+Enter`, `ArrowDown`, `F2`, or a sequence of two letters: `g b`. */
  key: string
  /** Description for the list of shortcuts. */
  label: string
  run: () => void
}

/** Maximum time between the letters of a sequence. */
const SEQUENCE_MS = 1500
const SETTING = 'keys'

const layers = createStore<readonly (readonly Shortcut[])[]>([])
const letterShortcuts = createStore(readStored('local', SETTING) !== 'off')

export const useLetterShortcuts = (): boolean => useStore(letterShortcuts)

/** Single-letter shortcuts can be disabled, for users of speech input and against accidental presses. */
export function setLetterShortcuts(on: boolean): void {
  writeStored('local', SETTING, on ? null : 'off')
  letterShortcuts.set(on)
}

/** All active shortcuts; of equal keys the latest registration. */
export const useShortcutList = (): Shortcut[] => {
  const all = useStore(layers).flat()
  return all.filter(({ key }, at) => all.findLastIndex((other) => other.key === key) === at)
}

/**
 * Registers shortcuts while the component is mounted. Later registrations override earlier ones, and all override those
 * below them (`isBelow`).
 */
export function useShortcuts(keys: readonly Shortcut[], isBelow = false): void {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  const names = keys.map(({ key, label }) => `${key}\t${label}`).join('\n')
  useEffect(() => {
    const layer = names.split('\n').flatMap((line, at) => {
      const [key, label] = line.split('\t')
      return key && label ? [{ key, label, run: () => latest.current[at]?.run() }] : []
    })
    layers.set((current) => (isBelow ? [layer, ...current] : [...current, layer]))
    return () => layers.set((current) => current.filter((other) => other !== layer))
  }, [names, isBelow])
}

type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** Name of a pressed key as in `Shortcut.key`; null for combinations of the browser. */
export function nameOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyPress): string | null {
  if (altKey || key === 'Dead' || key === 'Process') return null
  const isLetter = key.length === 1 && key.toLowerCase() !== key.toUpperCase()
  if (ctrlKey || metaKey) return `Ctrl+${isLetter ? key.toLowerCase() : key}`
  if (isLetter) return shiftKey ? `Shift+${key.toUpperCase()}` : key.toLowerCase()
  return shiftKey && key.length > 1 ? `Shift+${key}` : key
}

const isCharacter = (name: string) => name.length === 1 || /^Shift\+.$/.test(name)

/** The shortcut of a key name; `previousKey` is the name of the key before it, for sequences. */
export function matchShortcut(
  keys: readonly Shortcut[],
  name: string,
  previousKey: string | null,
): Shortcut | undefined {
  const sequence = previousKey && keys.findLast(({ key }) => key === `${previousKey} ${name}`)
  return sequence || keys.findLast(({ key }) => key === name)
}

/** Whether the key is the first of a sequence. */
export const startsSequence = (keys: readonly Shortcut[], name: string): boolean =>
  keys.some(({ key }) => key.startsWith(`${name} `))

let lastKey: { name: string; at: number } | null = null

function onKeyDown(event: KeyboardEvent) {
  const name = nameOf(event)
  if (name === null || event.defaultPrevented || !(event.target instanceof Element)) return
  if (name === 'Ctrl+Enter' && event.target.closest('form')) return submit(event)
  if (isCharacter(name) && !letterShortcuts.get()) return
  if (belongsElsewhere(event.target, name)) return
  const keys = layers.get().flat()
  const recent = lastKey && event.timeStamp - lastKey.at < SEQUENCE_MS ? lastKey.name : null
  const shortcut = matchShortcut(keys, name, recent)
  lastKey = startsSequence(keys, name) ? { name, at: event.timeStamp } : null
  if (!shortcut || (event.repeat && isCharacter(name))) return
  event.preventDefault()
  shortcut.run()
}

/** Inside a form Ctrl+Enter submits, whatever the page uses it for. */
function submit(event: KeyboardEvent) {
  event.preventDefault()
  if (!event.repeat && event.target instanceof Element) event.target.closest('form')?.requestSubmit()
}

/** Enter would open a closed list or select an option of an open one: stops the event. */
function submitFromList(event: KeyboardEvent) {
  if (nameOf(event) !== 'Ctrl+Enter' || !(event.target instanceof Element)) return
  if (!event.target.matches('form [role="combobox"], form [aria-haspopup="listbox"]')) return
  event.stopPropagation()
  submit(event)
}

/** Inputs without text: letters pressed there are shortcuts. */
const TEXTLESS_TYPES = ['checkbox', 'radio', 'button', 'submit', 'reset', 'file', 'range', 'color']

const takesText = (field: Element): boolean =>
  !(field instanceof HTMLInputElement && TEXTLESS_TYPES.includes(field.type))

/** Opens the palette, also from a dialog beside which the page stays usable. */
export const PALETTE_KEY = 'Ctrl+k'

/** Fields, lists and dialogs handle their own keys; buttons and links handle Enter and space. */
function belongsElsewhere(target: Element, name: string): boolean {
  if (name === PALETTE_KEY) return false
  if (target.closest('[role="dialog"], [role="menu"], [role="listbox"]')) return true
  const field = target.closest('input, textarea, select, [contenteditable="true"]')
  // Arrows, Enter and space operate the field.
  if (field) return !(/^(Ctrl\+|F\d)/.test(name) || (!takesText(field) && isCharacter(name) && name !== ' '))
  return (name === 'Enter' || name === ' ') && target.closest('button, a, summary') !== null
}

/** Installs the keyboard listeners. */
export function startShortcuts(): void {
  document.addEventListener('keydown', submitFromList, true)
  document.addEventListener('keydown', onKeyDown)
}
