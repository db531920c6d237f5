import { useSyncExternalStore } from 'react'

const media = () => (typeof matchMedia === 'function' ? matchMedia('print') : null)

const subscribe = (onChange: () => void) => {
  const query = media()
  query?.addEventListener('change', onChange)
  return () => query?.removeEventListener('change', onChange)
}

/** Whether the page is being printed: what draws only what is seen then draws all. */
export const usePrinting = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => media()?.matches ?? false,
    () => false,
  )
