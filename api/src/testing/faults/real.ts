/** Node's own functions, for the simulation itself. */
export const real = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
  setImmediate: globalThis.setImmediate,
  fetch: globalThis.fetch,
  Date: globalThis.Date,
  random: Math.random,
  now: performance.now.bind(performance),
  abortTimeout: AbortSignal.timeout.bind(AbortSignal),
}
