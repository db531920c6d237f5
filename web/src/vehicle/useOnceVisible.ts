import { type RefObject, useEffect, useState } from 'react'

/** Cards this far below the viewport count as visible, to load their image in advance. */
const MARGIN = '400px'

const callbacks = new Map<Element, () => void>()
let observer: IntersectionObserver | undefined

function observe(element: Element, onVisible: () => void): () => void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) callbacks.get(target)?.()
    },
    { rootMargin: MARGIN },
  )
  callbacks.set(element, onVisible)
  observer.observe(element)
  return () => {
    callbacks.delete(element)
    observer?.unobserve(element)
  }
}

/** Whether the element has come near the viewport; stays true. All elements share one observer. */
export function useOnceVisible(ref: RefObject<Element | null>): boolean {
  const [wasVisible, setWasVisible] = useState(false)
  useEffect(() => {
    if (wasVisible || !ref.current) return
    return observe(ref.current, () => setWasVisible(true))
  }, [wasVisible, ref])
  return wasVisible
}
