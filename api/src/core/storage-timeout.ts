import { StorageUnavailable } from './storage-unavailable.ts'

/** Rejects when a store of pictures takes longer: callers answer 503 and may come again. */
export async function withStorageTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    const error = () => new StorageUnavailable(`The store of pictures: no answer within ${ms} ms`)
    timer = setTimeout(() => reject(error()), ms)
  })
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}
