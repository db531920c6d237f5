import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { verifyDocument } from '@rogatka/contract/evidence.ts'
import { zipSync } from 'fflate'
import type { Client } from '../testing/test-api.ts'
import { hasProgram, testFolder } from './testing.ts'

/* What tests do with an evidence package, as somebody without the portal. */

export const commandsIn = (guide: Buffer | undefined) =>
  [...(guide ?? Buffer.of()).toString().matchAll(/^ {4}(.+)$/gm)].map(([, command]) => command ?? '')

/** Writes the files of a package into an empty folder. */
export async function unpack(files: Record<string, Buffer>): Promise<string> {
  const folder = await testFolder()
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  return folder
}

/** Whether a command succeeds, with its output. */
export const runCommand = (command: string, cwd: string) =>
  new Promise<{ holds: boolean; said: string }>((resolve) => {
    execFile('sh', ['-c', command], { cwd, env: { PATH: process.env.PATH, LC_ALL: 'C' } }, (error, output, errors) =>
      resolve({ holds: error === null, said: `${output}${errors}` }),
    )
  })

const PROGRAMS = ['pdfsig', 'openssl'].filter((name) => !hasProgram(name))
export const isRunnable = (command: string) => !PROGRAMS.some((name) => command.includes(name))

/** Commands that fail in a folder. */
export async function failing(folder: string, commands: readonly string[]): Promise<string[]> {
  const runnable = commands.filter(isRunnable)
  const script = runnable.map((command) => `( ${command} ) > /dev/null 2>&1 < /dev/null; echo $?`).join('\n')
  const { said } = await runCommand(script, folder)
  const statuses = said.trim().split('\n')
  return runnable.filter((_, at) => statuses[at] !== '0')
}

/** Verifies a package by the API: what differs, by file and place. */
export async function verified(user: Client, payload: Buffer) {
  const headers = { 'content-type': 'application/octet-stream' }
  return (await user.call(verifyDocument, { payload, headers })).body
}

export const rezip = (files: Record<string, Buffer>) => Buffer.from(zipSync(files))
export const flipped = (bytes: Buffer | undefined, at: number): Buffer => {
  const changed = Buffer.from(bytes ?? [])
  changed[at] = (changed[at] as number) ^ 1
  return changed
}
