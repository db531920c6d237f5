import { useSyncExternalStore } from 'react'

const media = () => (typeof matchMedia === 'function' ? matchMedia('print') : null)

const subscribe = (onChange: () => void) => {
  const query = media()
  query?.addEventListener('change', onChange)
  return () => query?.removeEventListener('change', onChange)
}

/** Whether the page is being printed; virtualised lists then render all rows. */
export const usePrinting = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => media()?.matches ?? false,
    () => false,
  )
