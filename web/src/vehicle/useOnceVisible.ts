import { type RefObject, useEffect, useState } from 'react'

/** So far below the screen a strip already counts as visible, so that its photograph is there when it comes. */
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

/** Whether the element has come near the screen; from then on true. One observer serves all of them. */
export function useOnceVisible(ref: RefObject<Element | null>): boolean {
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    if (seen || !ref.current) return
    return observe(ref.current, () => setSeen(true))
  }, [seen, ref])
  return seen
}
