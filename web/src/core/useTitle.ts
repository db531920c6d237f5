import { useEffect } from 'react'

/** The page's own title, and as a fallback the name of its navigation target. */
let pageTitle: string | null = null
let fallbackTitle: string | null = null
/** Something needs attention, whatever page is open. */
let hasMark = false

/** Title of the current page; null without one. */
export const pageName = (): string | null => pageTitle ?? fallbackTitle

const updateTitle = () => {
  const name = pageName()
  document.title = `${hasMark ? '(!) ' : ''}${name === null ? '' : `${name} · `}Rogatka`
}

/** Sets or removes the mark before the title. */
export function setTitleMark(on: boolean): void {
  hasMark = on
  updateTitle()
}

/** Sets the tab's title while mounted; null: not known yet. */
export function useTitle(name: string | null): void {
  useEffect(() => {
    pageTitle = name
    updateTitle()
    return () => {
      pageTitle = null
      updateTitle()
    }
  }, [name])
}

/** Sets the fallback title: the name of the navigation target. */
export function useFallbackTitle(name: string | null): void {
  useEffect(() => {
    fallbackTitle = name
    updateTitle()
  }, [name])
}
