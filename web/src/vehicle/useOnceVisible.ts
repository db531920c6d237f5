import { type RefObject, useEffect, useState } from 'react'

/** Cards this far below the viewport count as visible, to load their photo in advance. */
const MARGIN = '400px'

const waiting = new Map<Element, () => void>()
let observer: IntersectionObserver | undefined

function observe(element: Element, seen: () => void): () => void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) waiting.get(target)?.()
    },
    { rootMargin: MARGIN },
  )
  waiting.set(element, seen)
  observer.observe(element)
  return () => {
    waiting.delete(element)
    observer?.unobserve(element)
  }
}

/** Whether the element has come near the viewport; stays true. All elements share one observer. */
export function useOnceVisible(ref: RefObject<Element | null>): boolean {
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    if (seen || !ref.current) return
    return observe(ref.current, () => setSeen(true))
  }, [seen, ref])
  return seen
}
