import { useEffect } from 'react'

/** The page's own title, and as a fallback the name of its navigation target. */
let own: string | null = null
let place: string | null = null
/** Something needs attention, whatever page is open. */
let marked = false

/** Title of the current page; null without one. */
export const pageName = (): string | null => own ?? place

const show = () => {
  const name = pageName()
  document.title = `${marked ? '(!) ' : ''}${name === null ? '' : `${name} · `}Rogatka`
}

/** Sets or removes the mark before the title. */
export function setTitleMark(on: boolean): void {
  marked = on
  show()
}

/** Sets the tab's title while mounted; null: not known yet. */
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

/** Sets the fallback title: the name of the navigation target. */
export function usePlaceTitle(name: string | null): void {
  useEffect(() => {
    place = name
    show()
  }, [name])
}
