/** Rejects after `ms` with a connection error, so that callers return 503; the promise itself continues. */
export async function withTimeout<T>(promise: PromiseLike<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    const text = `The database did not answer within ${ms} ms`
    timer = setTimeout(() => reject(Object.assign(new Error(text), { code: 'CONNECTION_TIMEOUT' })), ms)
  })
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer))
}
