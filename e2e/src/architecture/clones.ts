import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { root } from './tree.ts'

const run = promisify(execFile)
const jscpd = createRequire(import.meta.url).resolve('jscpd/run-jscpd.js')

/** Minimum length of a clone. */
const MIN_LINES = 6
/**
 * Six lines with fewer tokens (brackets, single words, CSS declarations) are equal by chance. At 30 a third of the clones
 * are false positives; at 50 real clones of six lines are missed.
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
/** Equal imports are no clones: the formatter sorts them, so they are equal in many files. */
const IMPORTS = "import[^'\"]*from '[^']*'( with \\{[^}]*\\})?"

type ClonePosition = { name: string; start: number; end: number }

/** Duplicated runs of lines below these folders, as `file:from-to = file:from-to`, longest first. */
export async function findClones(folders: readonly string[]): Promise<string[]> {
  const output = await mkdtemp(join(tmpdir(), 'rogatka-clones-'))
  try {
    // jscpd subtracts the first line from the line after the run, so without the 1 it would miss runs of six lines.
    const limits = ['--min-lines', String(MIN_LINES - 1), '--min-tokens', String(MIN_TOKENS)]
    const formats = ['--format', 'typescript,tsx,css', '--cross-formats', 'typescript,tsx']
    const ignored = ['--ignore', IGNORED_FILES.join(), '--ignore-pattern', IMPORTS, '--no-gitignore']
    const report = ['--reporters', 'json', '--output', output, '--absolute', '--fail-on-empty']
    await run(process.execPath, [jscpd, ...limits, ...formats, ...ignored, ...report, ...folders], { cwd: root })
    const { duplicates } = JSON.parse(await readFile(join(output, 'jscpd-report.json'), 'utf8')) as {
      duplicates: { lines: number; firstFile: ClonePosition; secondFile: ClonePosition }[]
    }
    return duplicates
      .toSorted((a, b) => b.lines - a.lines)
      .map(({ firstFile, secondFile }) => `${located(firstFile)} = ${located(secondFile)}`)
  } finally {
    await rm(output, { recursive: true, force: true })
  }
}

const located = ({ name, start, end }: ClonePosition) => `${relative(root, name).replaceAll('\\', '/')}:${start}-${end}`
