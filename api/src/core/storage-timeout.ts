import { StorageUnavailable } from './storage-unavailable.ts'

/** Rejects after `ms` with `StorageUnavailable`: clients get 503 and may retry. */
export async function withStorageTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    const error = () => new StorageUnavailable(`Image store: no answer within ${ms} ms`)
    timer = setTimeout(() => reject(error()), ms)
  })
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}
