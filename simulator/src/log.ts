/** One line of what happened; never a key. */
export type Log = (message: string, facts?: Record<string, unknown>) => void

/** Writes each as a line of JSON to standard output. */
export const logLine: Log = (message, facts = {}) => {
  process.stdout.write(
    `${JSON.stringify({ time: new Date().toISOString(), component: 'simulator', msg: message, ...facts })}\n`,
  )
}
