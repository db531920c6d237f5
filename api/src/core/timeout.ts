/** Rejects with `error` after `ms`; the promise itself continues. */
export async function withTimeout<T>(promise: PromiseLike<T>, ms: number, error: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(error()), ms)
  })
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer))
}

/** As `withTimeout`, with a connection error, so that callers return 503. */
export const withDatabaseTimeout = <T>(promise: PromiseLike<T>, ms: number): Promise<T> =>
  withTimeout(promise, ms, () =>
    Object.assign(new Error(`The database did not answer within ${ms} ms`), { code: 'CONNECTION_TIMEOUT' }),
  )
