const KEY_LABELS: Record<string, string> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
}

const plainLabel = (key: string) => KEY_LABELS[key] ?? (key.length === 1 ? key.toUpperCase() : key)

const isMac = /Mac|iPhone|iPad/.test(navigator.platform)

/** A key as it is shown: `ArrowUp` → `↑`, `Ctrl+k` → `Ctrl K`, on a Mac `⌘K`. */
export function keyLabel(key: string): string {
  const [, combined] = /^Ctrl\+(.+)$/.exec(key) ?? []
  if (combined === undefined) return plainLabel(key)
  return isMac ? `⌘${plainLabel(combined)}` : `Ctrl ${plainLabel(combined)}`
}
