import { hash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'

/* A file of breached passwords as Have I Been Pwned publishes it: a line `SHA-1:count` each, in order of the hashes. */

const HASH = 40
/** Hash, count and line end. */
const MAX_LINE = 64

/** Whether the file contains a password: binary search over lines, 40 reads for 40 GB. @throws if it cannot be read */
export async function isBreached(path: string, password: string): Promise<boolean> {
  const digest = hash('sha1', password, 'hex').toUpperCase()
  const file = await open(path)
  try {
    let [low, high] = [0, (await file.stat()).size]
    while (low < high) {
      const line = await lineAt(file, Math.floor((low + high) / 2))
      if (line.hash === digest) return true
      if (line.hash < digest) low = line.end
      else high = line.start
    }
    return false
  } finally {
    await file.close()
  }
}

/** The line with the byte at this offset: its hash, its first byte, and that of the next line. */
async function lineAt(file: FileHandle, offset: number): Promise<{ hash: string; start: number; end: number }> {
  const from = Math.max(0, offset - MAX_LINE)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(2 * MAX_LINE), 0, 2 * MAX_LINE, from)
  const text = buffer.toString('latin1', 0, bytesRead)
  const at = offset - from
  const start = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
  const newline = text.indexOf('\n', at)
  const end = newline === -1 ? bytesRead : newline + 1
  return { hash: text.slice(start, start + HASH).toUpperCase(), start: from + start, end: from + end }
}

/** @throws if the first line of the file is none of such a file, or it cannot be read */
export async function assertBreachedPasswords(path: string): Promise<void> {
  const file = await open(path)
  try {
    const { hash } = await lineAt(file, 0)
    if (!/^[0-9A-F]{40}$/.test(hash)) throw new Error('its first line is not SHA-1:count')
  } finally {
    await file.close()
  }
}
