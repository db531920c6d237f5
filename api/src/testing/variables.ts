import { expect, test } from 'vitest'

/** The variables that only a process of its own can show: start.test.ts has a row for each. */
export const processVariables = ['ADMIN_PASSWORD', 'DATABASE_URL', 'DEMO', 'DEMO_BACKFILL_DAYS', 'HOST', 'PORT']

/** A value of a variable (undefined: absent), and what is seen with it. */
type Case = readonly [value: string | undefined, seen: unknown]

export type Difference = {
  /** What the variable does, after its name. */
  title: string
  /** All else is equal. What stands in braces is filled in by `look`. */
  cases: readonly Case[]
  /** Looks at a portal with these variables, as those who use it do. */
  look: (env: Record<string, string>) => Promise<unknown>
}

/** Tests what is seen with each value of each variable. @throws where it would be the same with all of them */
export function testVariables(differences: Record<string, Difference>): void {
  for (const [variable, { title, cases, look }] of Object.entries(differences)) {
    for (const index of [0, 1]) {
      const different = new Set(cases.map((one) => JSON.stringify(one[index] ?? null)))
      if (different.size < 2) throw new Error(`${variable} needs two values between which a difference is seen`)
    }
    test.each(cases.map(([value, seen]) => ({ value, seen, text: value ?? 'absent' })))(
      `${variable} ${title}: $text`,
      async ({ value, seen }) => expect(await look(value === undefined ? {} : { [variable]: value })).toEqual(seen),
    )
  }
}
