import { expect, test } from 'vitest'
import { collectBytes, unzipFiles } from './testing.ts'
import { type ZipEntry, zip } from './zip.ts'

const at = new Date('2026-10-20T08:00:00Z')
const text = (content: string) => [Buffer.from(content)]

test('packs files one after the other, and opens each after the previous one', async () => {
  let open = 0
  async function* part(content: string) {
    open++
    expect(open).toBe(1)
    yield Buffer.from(content)
    open--
  }
  async function* entries(): AsyncGenerator<ZipEntry> {
    for (const name of ['ą.txt', 'b/c.txt']) yield { name, content: part(name.repeat(1000)) }
    yield { name: 'packed.jpg', content: text('jpeg'), isCompressed: true }
  }
  const files = unzipFiles(await collectBytes(zip(entries(), at)))
  expect(Object.keys(files)).toEqual(['ą.txt', 'b/c.txt', 'packed.jpg'])
  expect(files['b/c.txt']?.toString()).toBe('b/c.txt'.repeat(1000))
})

test('a failing file leaves the ZIP without its end record', async () => {
  async function* broken() {
    yield Buffer.from('half')
    throw new Error('broken')
  }
  const parts: Uint8Array[] = []
  const read = async () => {
    for await (const part of zip(
      [
        { name: 'a', content: text('a') },
        { name: 'b', content: broken() },
      ],
      at,
    ))
      parts.push(part)
  }
  await expect(read()).rejects.toThrow('broken')
  expect(() => unzipFiles(Buffer.concat(parts))).toThrow()
})

test('ends the open generators when the consumer stops', async () => {
  const ended: string[] = []
  async function* endless() {
    try {
      while (true) yield Buffer.alloc(64 * 1024, Math.random().toString())
    } finally {
      ended.push('file')
    }
  }
  async function* entries(): AsyncGenerator<ZipEntry> {
    try {
      yield { name: 'endless', content: endless() }
      yield { name: 'never', content: text('') }
    } finally {
      ended.push('folder')
    }
  }
  for await (const part of zip(entries(), at)) if (part.length > 0) break
  expect(ended).toEqual(['file', 'folder'])
})
