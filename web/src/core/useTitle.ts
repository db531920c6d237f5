import { useEffect } from 'react'
import { connection } from './connection.ts'

/** The page's own title, and as a fallback the name of its navigation target. */
let pageTitle: string | null = null
let fallbackTitle: string | null = null
/** Number of things that need attention, whatever page is open. */
let attentionCount = 0

/** Title of the current page; null without one. */
export const pageName = (): string | null => pageTitle ?? fallbackTitle

const updateTitle = () => {
  const name = pageName()
  const mark = attentionCount > 0 ? `(${attentionCount}!) ` : connection.get().state === 'lost' ? '(!) ' : ''
  document.title = `${mark}${name === null ? '' : `${name} · `}Rogatka`
}
connection.subscribe(updateTitle)

/** Sets the number before the title; 0 removes it. */
export function setTitleCount(count: number): void {
  attentionCount = count
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
