import { writeFileSync } from 'node:fs'

/**
 * A vitest reporter that writes the errors outside of tests, which fail a run without a failed test, as a JSON list of
 * texts to the file of UNHANDLED_ERRORS_FILE. The JSON report of vitest does not have them.
 */
export default class UnhandledErrors {
  onTestRunEnd(_modules: unknown, errors: readonly { message: string; stack?: string }[]): void {
    const file = process.env.UNHANDLED_ERRORS_FILE
    if (file) writeFileSync(file, JSON.stringify(errors.map(({ message, stack }) => stack ?? message)))
  }
}
