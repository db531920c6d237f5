/** Reads a stored value; null if absent or if storage is unavailable. */
export function readStored(storage: 'local' | 'session', key: string): string | null {
  try {
    return storageOf(storage).getItem(key)
  } catch {
    return null
  }
}

/** Stores a value, or deletes it (null). Does nothing if storage is unavailable. */
export function writeStored(storage: 'local' | 'session', key: string, value: string | null): void {
  try {
    if (value === null) storageOf(storage).removeItem(key)
    else storageOf(storage).setItem(key, value)
  } catch {
    // Private windows may refuse; the page works without storage.
  }
}

const storageOf = (storage: 'local' | 'session') => (storage === 'local' ? localStorage : sessionStorage)
