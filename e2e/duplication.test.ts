import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findClones } from './src/architecture/clones.ts'
import { packages } from './src/architecture/tree.ts'

/* docs/decisions/088-copy-paste-detection-with-jscpd.md */

test('no run of six or more lines occurs twice outside tests and migrations', async () => {
  expect(await findClones(packages)).toEqual([])
})

const LINES = [
  'export function excess(load: number, limit: number): number {',
  '  const tolerance = Math.max(limit * 0.02, 100)',
  '  const certain = load - limit - tolerance',
  '  if (certain <= 0) return 0',
  '  const percent = (certain / limit) * 100',
  '  return Math.round(percent * 10) / 10',
  '}',
]

const IMPORTS = Array.from('abcdefghi', (name) => `import { ${name} } from './${name}.ts'\n`).join('')

test.each([
  [6, 1],
  [4, 0],
])('finds in %i repeated lines below the same imports %i clones', async (count, clones) => {
  const folder = await mkdtemp(join(tmpdir(), 'rogatka-clones-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const same = LINES.slice(0, count).join('\n')
  await writeFile(join(folder, 'one.ts'), `${IMPORTS}type One = 1\n${same}\n  return one(a)\n}\n`)
  await writeFile(join(folder, 'two.tsx'), `${IMPORTS}class Two {}\n${same}\n  throw new Error()\n}\n`)

  expect(await findClones([folder])).toHaveLength(clones)
})
