import { useEffect, useRef } from 'react'
import { createStore, useStore } from './store.ts'
import { readStored, writeStored } from './stored.ts'

export type Shortcut = {
  /** `m`, `Shift+W`, `Ctrl+Enter`, `ArrowDown`, `F2`, or two letters in turn: `g b`. */
  key: string
  /** What it does, for the list of keys. */
  label: string
  run: () => void
}

/** A second letter that comes later belongs to no sequence. */
const SEQUENCE_MS = 1500
const SETTING = 'keys'

const layers = createStore<readonly (readonly Shortcut[])[]>([])
const letterShortcuts = createStore(readStored('local', SETTING) !== 'off')

export const useLetterShortcuts = (): boolean => useStore(letterShortcuts)

/** Letters can be switched off for those who dictate or hit keys by accident; other keys stay. */
export function setLetterShortcuts(on: boolean): void {
  writeStored('local', SETTING, on ? null : 'off')
  letterShortcuts.set(on)
}

/** All keys that work now; of the same key the one that came last. */
export const useShortcutList = (): Shortcut[] => {
  const all = useStore(layers).flat()
  return all.filter(({ key }, at) => all.findLastIndex((other) => other.key === key) === at)
}

/** Registers keys while the component lives. What comes later covers the same key of what came before. */
export function useShortcuts(keys: readonly Shortcut[]): void {
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
    layers.set((now) => [...now, layer])
    return () => layers.set((now) => now.filter((other) => other !== layer))
  }, [names])
}

type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** The name of a pressed key as in `Key.key`; null for combinations that belong to the browser. */
export function nameOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyPress): string | null {
  if (altKey || key === 'Dead' || key === 'Process') return null
  const isLetter = key.length === 1 && key.toLowerCase() !== key.toUpperCase()
  if (ctrlKey || metaKey) return `Ctrl+${isLetter ? key.toLowerCase() : key}`
  if (isLetter) return shiftKey ? `Shift+${key.toUpperCase()}` : key.toLowerCase()
  return shiftKey && key.length > 1 ? `Shift+${key}` : key
}

const isCharacter = (name: string) => name.length === 1 || /^Shift\+.$/.test(name)

/** The key to run for a name, given the one pressed just before it. */
export function matchShortcut(keys: readonly Shortcut[], name: string, before: string | null): Shortcut | undefined {
  const sequence = before && keys.findLast(({ key }) => key === `${before} ${name}`)
  return sequence || keys.findLast(({ key }) => key === name)
}

/** Whether a name begins a sequence. */
export const startsSequence = (keys: readonly Shortcut[], name: string): boolean =>
  keys.some(({ key }) => key.startsWith(`${name} `))

let before: { name: string; at: number } | null = null

function press(event: KeyboardEvent) {
  const name = nameOf(event)
  if (name === null || event.defaultPrevented || !(event.target instanceof Element)) return
  if (name === 'Ctrl+Enter' && event.target.closest('form')) return submit(event)
  if (isCharacter(name) && !letterShortcuts.get()) return
  if (belongsElsewhere(event.target, name)) return
  const keys = layers.get().flat()
  const recent = before && event.timeStamp - before.at < SEQUENCE_MS ? before.name : null
  const found = matchShortcut(keys, name, recent)
  before = startsSequence(keys, name) ? { name, at: event.timeStamp } : null
  if (!found || (event.repeat && isCharacter(name))) return
  event.preventDefault()
  found.run()
}

/** Inside a form it saves, whatever else the page uses it for. */
function submit(event: KeyboardEvent) {
  event.preventDefault()
  if (!event.repeat && event.target instanceof Element) event.target.closest('form')?.requestSubmit()
}

/** A closed list would open at Enter, and an open one would take its option: neither sees the key. */
function submitFromList(event: KeyboardEvent) {
  if (nameOf(event) !== 'Ctrl+Enter' || !(event.target instanceof Element)) return
  if (!event.target.matches('form [role="combobox"], form [aria-haspopup="listbox"]')) return
  event.stopPropagation()
  submit(event)
}

/** Inputs that take no text: letters typed there are shortcuts. */
const TEXTLESS = ['checkbox', 'radio', 'button', 'submit', 'reset', 'file', 'range', 'color']

const takesText = (field: Element): boolean => !(field instanceof HTMLInputElement && TEXTLESS.includes(field.type))

/** Fields, lists and dialogs keep their own keys; buttons and links keep Enter and the space bar. */
function belongsElsewhere(target: Element, name: string): boolean {
  if (target.closest('[role="dialog"], [role="menu"], [role="listbox"]')) return true
  const field = target.closest('input, textarea, select, [contenteditable="true"]')
  // Arrows, Enter and the space bar work the field itself.
  if (field) return !(/^(Ctrl\+|F\d)/.test(name) || (!takesText(field) && isCharacter(name) && name !== ' '))
  return (name === 'Enter' || name === ' ') && target.closest('button, a, summary') !== null
}

/** Listens to the keyboard for as long as the page lives. */
export function startShortcuts(): void {
  document.addEventListener('keydown', submitFromList, true)
  document.addEventListener('keydown', press)
}
