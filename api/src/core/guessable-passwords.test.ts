import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isBreached } from './breached-passwords.ts'
import { isCommon, isMadeOfNames } from './guessable-passwords.ts'

// The most common passwords by the reports of NordPass and of the NCSC, and how people usually change them.
test.each(['123456', 'qwerty', 'Password', 'iloveyou', 'Dragon', 'password1!', '2026-Monkey!', 'Fóotball-99'])(
  'the common password %s is known',
  async (password) => expect(await isCommon(password)).toBe(true),
)

test.each(['Szlaban-2026-noc', 'correct horse battery staple', 'Kx7-mP2_qR9-vT'])(
  'the rare password %s is not taken for a common one',
  async (password) => expect(await isCommon(password)).toBe(false),
)

test.each([
  ['Rogatka2026', true],
  ['rogatka-rogatka-rogatka', true],
  ['Żółkiewska.99', true],
  ['zarzad-DROG-2026', true],
  ['anna.zolkiewska123456', true],
  // Enough is left without the names.
  ['Rogatka-przy-moście-43', false],
  // Shorter than a name that counts.
  ['ann-ann-ann-ann', false],
  ['Kx7-mP2_qR9-vT', false],
])('a password of names: %s is %s', async (password, expected) => {
  const names = [
    'Rogatka',
    'Zarząd Dróg (przykład)',
    'a.zolkiewska',
    'Ann',
    'Żółkiewska',
    'anna.zolkiewska@example.org',
    null,
  ]
  expect(await isMadeOfNames(password, names)).toBe(expected)
})

test('finds exactly the passwords of a file of sorted SHA-1, with any line end, at its edges too', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rogatka-breached-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const inside = Array.from({ length: 1_000 }, (_, at) => `leaked-${at}`)
  // The hashes come from another program.
  await Promise.all(inside.map((password, at) => writeFile(join(folder, `p${at}`), password)))
  const sums = execFileSync(
    'sha1sum',
    inside.map((_, at) => `p${at}`),
    { cwd: folder, encoding: 'utf8' },
  )
  const hashes = sums
    .trim()
    .split('\n')
    .map((line) => line.slice(0, 40).toUpperCase())
    .sort()
  for (const [name, text] of Object.entries({
    counts: hashes.map((hash, at) => `${hash}:${10 ** (at % 8)}\r\n`).join(''),
    plain: hashes.join('\n'),
    one: hashes[0] as string,
    empty: '',
  })) {
    const path = join(folder, name)
    await writeFile(path, text)
    const known = name === 'one' || name === 'empty' ? [] : inside
    const found = await Promise.all(known.map((password) => isBreached(path, password)))
    expect(found.every(Boolean), name).toBe(true)
    const outside = Array.from({ length: 200 }, (_, at) => `Szlaban-${at}-noc`)
    expect((await Promise.all(outside.map((password) => isBreached(path, password)))).some(Boolean), name).toBe(false)
  }
  await expect(isBreached(join(folder, 'missing'), 'x')).rejects.toThrow('ENOENT')
})
