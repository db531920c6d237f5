import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** Starts `bare-server.ts` in a process of its own. */
export async function startBare(...args: string[]) {
  const server = spawn(process.execPath, [join(import.meta.dirname, 'bare-server.ts'), ...args])
  const address = await new Promise<string>((resolve) => server.stdout.once('data', (data) => resolve(String(data))))
  return { port: Number(new URL(address.trim()).port), stop: () => server.kill() }
}
