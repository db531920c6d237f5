import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { root } from './tree.ts'

const run = promisify(execFile)
const jscpd = createRequire(import.meta.url).resolve('jscpd/run-jscpd.js')

/** Runs of so many lines that stand twice are clones. */
const MIN_LINES = 6
/**
 * Fewer tokens in six lines are brackets, single words and CSS declarations, which are alike by chance. At 30 every
 * third hit is such; at 50 real ones of six lines are lost.
 */
const MIN_TOKENS = 40

const IGNORED_FILES = [
  '**/node_modules/**',
  '**/dist/**',
  '**/*.test.ts',
  '**/*.spec.ts',
  // A descriptor of @font-face, such as unicode-range, cannot be shared.
  '**/fonts.css',
]
/** Files that use the same things import them in the same lines, which the formatter sorts. */
const IMPORTS = "import[^'\"]*from '[^']*'( with \\{[^}]*\\})?"

type Place = { name: string; start: number; end: number }

/** Runs of lines that stand twice below these folders, as `file:from-to = file:from-to`, the longest first. */
export async function findClones(folders: readonly string[]): Promise<string[]> {
  const output = await mkdtemp(join(tmpdir(), 'rogatka-clones-'))
  try {
    // jscpd counts from the first line to the one behind the run: without the 1 it would miss some of six lines.
    const limits = ['--min-lines', String(MIN_LINES - 1), '--min-tokens', String(MIN_TOKENS)]
    const formats = ['--format', 'typescript,tsx,css', '--cross-formats', 'typescript,tsx']
    const ignored = ['--ignore', IGNORED_FILES.join(), '--ignore-pattern', IMPORTS, '--no-gitignore']
    const report = ['--reporters', 'json', '--output', output, '--absolute', '--fail-on-empty']
    await run(process.execPath, [jscpd, ...limits, ...formats, ...ignored, ...report, ...folders], { cwd: root })
    const { duplicates } = JSON.parse(await readFile(join(output, 'jscpd-report.json'), 'utf8')) as {
      duplicates: { lines: number; firstFile: Place; secondFile: Place }[]
    }
    return duplicates
      .toSorted((a, b) => b.lines - a.lines)
      .map(({ firstFile, secondFile }) => `${located(firstFile)} = ${located(secondFile)}`)
  } finally {
    await rm(output, { recursive: true, force: true })
  }
}

const located = ({ name, start, end }: Place) => `${relative(root, name).replaceAll('\\', '/')}:${start}-${end}`
