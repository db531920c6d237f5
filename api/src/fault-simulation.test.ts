import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, inject, test } from 'vitest'
import { isOnOneServer } from './testing/databases.ts'
import { databaseAt } from './testing/setup.ts'

/*
 * A few histories of the fault simulation (docs/fault-simulation.md). Thousands: npm run simulate-faults -- --seeds 10000
 */

const COMMAND = fileURLToPath(new URL('testing/faults/main.ts', import.meta.url))

/** Runs the command on a clone of the template of the tests; returns its exit code and output. */
async function simulate(...args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [
    COMMAND,
    '--template',
    databaseAt(inject('databaseServer'), inject('template')),
    '--workers',
    '1',
    ...args,
  ])
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, output }
}

test.runIf(isOnOneServer)(
  'invariants hold in simulated histories, and a seed gives the same history twice and in another process',
  async () => {
    const { code, output } = await simulate('--seeds', '3', '--twice')
    expect(output).toMatch(/^3 seeds from 1, 0 failed, \d+ s, hash of all histories [0-9a-f]{16}\n$/)
    expect(code).toBe(0)
    const hashOf = (text: string) => text.trim().split(' ').at(-1)
    expect(hashOf((await simulate('--seeds', '3')).output)).toBe(hashOf(output))
  },
  300_000,
)

test.runIf(isOnOneServer)(
  'finds planted faults, and names the command that replays the history',
  async () => {
    const runs = [
      { fault: 'repeats-counted', seed: '1', violation: /vehicles counted, \d+ stored/ },
      { fault: 'acknowledged-before-commit', seed: '1', violation: /vehicles acknowledged, \d+ of them stored/ },
    ]
    for (const { fault, seed, violation } of runs) {
      const { code, output } = await simulate('--seed', seed, '--fault', fault)
      expect(output).toContain(`npm run simulate-faults -- --seed ${seed} --fault ${fault} --trace`)
      expect(output).toMatch(violation)
      expect(code).toBe(1)
    }
  },
  300_000,
)
