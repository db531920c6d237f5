/** Reads a kept value; null when there is none or the browser forbids keeping. */
export function readStored(storage: 'local' | 'session', key: string): string | null {
  try {
    return storageOf(storage).getItem(key)
  } catch {
    return null
  }
}

/** Keeps a value, or forgets it (null). A browser that forbids keeping forgets it with the page. */
export function writeStored(storage: 'local' | 'session', key: string, value: string | null): void {
  try {
    if (value === null) storageOf(storage).removeItem(key)
    else storageOf(storage).setItem(key, value)
  } catch {
    // Private windows may refuse; the page works on without.
  }
}

const storageOf = (storage: 'local' | 'session') => (storage === 'local' ? localStorage : sessionStorage)
