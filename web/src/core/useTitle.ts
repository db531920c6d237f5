import { useEffect } from 'react'

/** The page's own name, and the name of its place in the navigation, which stands in for it. */
let own: string | null = null
let place: string | null = null
/** Something waits for the operator, whatever page is open. */
let marked = false

/** The name of the page that is shown; null while it has none. */
export const pageName = (): string | null => own ?? place

const show = () => {
  const name = pageName()
  document.title = `${marked ? '(!) ' : ''}${name === null ? '' : `${name} · `}Rogatka`
}

/** Marks the title of every page, or takes the mark away. */
export function setTitleMark(on: boolean): void {
  marked = on
  show()
}

/** Names the page in the browser's tab while it is shown; null: not yet known. */
export function useTitle(name: string | null): void {
  useEffect(() => {
    own = name
    show()
    return () => {
      own = null
      show()
    }
  }, [name])
}

/** Names the place in the navigation under which a page without a name of its own stands. */
export function usePlaceTitle(name: string | null): void {
  useEffect(() => {
    place = name
    show()
  }, [name])
}
