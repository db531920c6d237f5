/** Logs a message with structured fields; station keys are never logged. */
export type Log = (message: string, fields?: Record<string, unknown>) => void

/** Writes a line of JSON to stdout. */
export const logLine: Log = (message, fields = {}) => {
  process.stdout.write(
    `${JSON.stringify({ time: new Date().toISOString(), component: 'simulator', msg: message, ...fields })}\n`,
  )
}
