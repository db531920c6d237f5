/** Up to this number migrations have gaps in their numbers and statements without a time limit. */
const LAST_BEFORE_RULES = 68

const numberOf = (name: string): number => Number.parseInt(name, 10)

/** Whether a migration follows the rules of docs/migrations.md. */
export const followsRules = (name: string): boolean => numberOf(name) > LAST_BEFORE_RULES

/**
 * @param names names of all migration files
 * @param done names of those that have run
 * @throws if one that has not run is numbered below one that has, or a number does not follow the previous one
 */
export function checkOrder(names: readonly string[], done: readonly string[]): void {
  const sorted = names.toSorted()
  const newest = done.toSorted().at(-1) ?? ''
  for (const [at, name] of sorted.entries()) {
    if (!done.includes(name) && numberOf(name) <= numberOf(newest))
      throw new Error(`Migration ${name} cannot run after ${newest}, which has already run: give it the next number`)
    const previous = sorted[at - 1] ?? ''
    if (followsRules(name) && numberOf(name) !== numberOf(previous) + 1)
      throw new Error(`Migration ${name} does not have the next number after ${previous}`)
  }
}
