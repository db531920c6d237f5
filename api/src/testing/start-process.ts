import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { onTestFinished } from 'vitest'
import { PASSWORD } from './test-api.ts'

/** Starts `main.ts` with these variables and waits for its printed address; stops it after the test. */
export async function startProcess(env: Record<string, string>) {
  const dataDir = await mkdtemp(join(tmpdir(), 'rogatka-start-'))
  const server = spawn(process.execPath, [join(import.meta.dirname, '../main.ts')], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      ADMIN_PASSWORD: PASSWORD,
      SECOND_FACTOR: 'off',
      WORKERS: '1',
      ...env,
    },
  })
  let output = ''
  const read = (data: Buffer) => {
    output += data
  }
  server.stdout.on('data', read)
  server.stderr.on('data', read)
  onTestFinished(async () => {
    await ended(server)
    await rm(dataDir, { recursive: true, force: true })
  })
  const address = await new Promise<string>((resolve, reject) => {
    server.stdout.on('data', () => {
      const [, printed] = /^Rogatka \S+: (http:\S+)$/m.exec(output) ?? []
      if (printed) resolve(printed)
    })
    server.once('close', (code) => reject(new Error(`The server has not started (${code}): ${output}`)))
  })
  const signIn = async (password: string) => {
    const answer = await fetch(`${address}${API_BASE}/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password }),
    })
    return answer.status
  }
  return { address, dataDir, pid: server.pid as number, signIn, stop: () => ended(server), output: () => output }
}

async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const exit = new Promise((resolve) => server.once('exit', resolve))
  server.kill('SIGTERM')
  await exit
}

/** Process ids of the server processes that this one has started. */
export function workersOf(pid: number): number[] {
  const processes = execFileSync('ps', ['-A', '-o', 'ppid=,pid=,args='], { encoding: 'utf8' })
  return processes.split('\n').flatMap((line) => {
    const [parent, child] = line.trim().split(/\s+/, 2).map(Number)
    return parent === pid && line.includes('worker.ts') ? [child as number] : []
  })
}
