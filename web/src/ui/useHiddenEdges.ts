import { type RefObject, useEffect, useState } from 'react'

/** Whether columns are scrolled out of view on the left and on the right; updated on scroll and resize. */
export function useHiddenEdges(scroller: RefObject<HTMLElement | null>) {
  const [hiddenEdges, setHiddenEdges] = useState({ left: false, right: false })
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const measure = () => {
      const { scrollLeft, scrollWidth, clientWidth } = element
      // Scroll positions may be fractions of a pixel.
      const next = { left: scrollLeft > 1, right: scrollLeft + clientWidth < scrollWidth - 1 }
      setHiddenEdges((current) => (current.left === next.left && current.right === next.right ? current : next))
    }
    measure()
    element.addEventListener('scroll', measure, { passive: true })
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    for (const child of element.children) observer.observe(child)
    return () => {
      element.removeEventListener('scroll', measure)
      observer.disconnect()
    }
  }, [scroller])
  return hiddenEdges
}
