/** Heap bytes of a server after garbage collection, through the inspector (`--inspect=0`) last named in its log. */
export async function retainedHeapBytes(log: string): Promise<number> {
  const inspector = new WebSocket(log.match(/ws:\/\/[\w.:/-]+/g)?.at(-1) ?? 'no inspector')
  await new Promise((resolve, reject) => {
    inspector.addEventListener('open', resolve)
    inspector.addEventListener('error', () => reject(new Error('The inspector does not answer')))
  })
  const ask = <T>(method: string) =>
    new Promise<T>((resolve) => {
      inspector.addEventListener('message', ({ data }) => resolve(JSON.parse(String(data)).result), { once: true })
      inspector.send(JSON.stringify({ id: 1, method }))
    })
  // The first collection may free objects that keep others alive.
  for (let time = 0; time < 2; time++) await ask('HeapProfiler.collectGarbage')
  const { usedSize, backingStorageSize } = await ask<{ usedSize: number; backingStorageSize: number }>(
    'Runtime.getHeapUsage',
  )
  inspector.close()
  return usedSize + backingStorageSize
}
