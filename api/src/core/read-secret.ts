import { createInterface } from 'node:readline'

/**
 * Reads the first line of standard input, for the option `--name`: other users of the machine see the arguments of a process,
 * and the shell keeps them in its history.
 * @throws if it is empty
 */
export async function readSecret(name: string): Promise<string> {
  const lines = createInterface({ input: process.stdin })
  const { value } = await lines[Symbol.asyncIterator]().next()
  lines.close()
  if (!value) throw new Error(`--${name}: standard input is empty`)
  return value
}
