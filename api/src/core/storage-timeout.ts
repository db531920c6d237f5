import { StorageUnavailable } from './storage-unavailable.ts'
import { withTimeout } from './timeout.ts'

/** As `withTimeout`, with `StorageUnavailable`: clients get 503 and may retry. */
export const withStorageTimeout = <T>(work: Promise<T>, ms: number): Promise<T> =>
  withTimeout(work, ms, () => new StorageUnavailable(`Image store: no answer within ${ms} ms`))
