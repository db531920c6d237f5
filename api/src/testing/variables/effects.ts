import { expect, test } from 'vitest'

/** Variables that need a separate process, tested in start.test.ts. */
export const processVariables = [
  'ADMIN_PASSWORD',
  'DATABASE_URL',
  'DEMO',
  'DEMO_BACKFILL_DAYS',
  'DEMO_TRAFFIC_PERCENT',
  'HEAP_MB',
  'HOST',
  'PORT',
  'WORKERS',
]

/** Variables that need a streaming replica, tested in core/replica.test.ts. */
export const replicaVariables = ['DATABASE_READ_LAG_MS', 'DATABASE_READ_URL']

/** A value of a variable (undefined: absent) and its observable effect. */
type Case = readonly [value: string | undefined, seen: unknown]

export type VariableEffect = {
  /** The effect, after the name of the variable. */
  title: string
  /** Values with otherwise equal settings. `observe` replaces placeholders in braces. */
  cases: readonly Case[]
  /** Observes a portal with these variables from outside. */
  observe: (env: Record<string, string>) => Promise<unknown>
}

/** Tests the effect of each value of each variable. @throws if all values have the same effect */
export function testVariables(effects: Record<string, VariableEffect>): void {
  for (const [variable, { title, cases, observe }] of Object.entries(effects)) {
    for (const index of [0, 1]) {
      const different = new Set(cases.map((one) => JSON.stringify(one[index] ?? null)))
      if (different.size < 2) throw new Error(`${variable} needs two values between which a difference is seen`)
    }
    test.each(cases.map(([value, expected]) => ({ value, seen: expected, text: value ?? 'absent' })))(
      `${variable} ${title}: $text`,
      async ({ value, seen: expected }) =>
        expect(await observe(value === undefined ? {} : { [variable]: value })).toEqual(expected),
    )
  }
}
