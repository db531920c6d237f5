/** Rejects when a store of pictures takes longer, as the disk itself would say it: callers answer 503 and may come again. */
export async function withStorageTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    const message = `The store of pictures: no answer within ${ms} ms`
    timer = setTimeout(() => reject(Object.assign(new Error(message), { code: 'EIO', syscall: 'write' })), ms)
  })
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}
