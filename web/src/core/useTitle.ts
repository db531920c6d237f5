import { useEffect } from 'react'
import { connection } from './connection.ts'

/** The page's own title, and as a fallback the name of its navigation target. */
let pageTitle: string | null = null
let fallbackTitle: string | null = null
/** What of the page is open: a step, a tab or a record. */
let titlePart: string | null = null
/** Number of things that need attention, whatever page is open. */
let attentionCount = 0

/** Title of the current page; null without one. */
export const pageName = (): string | null => pageTitle ?? fallbackTitle

const updateTitle = () => {
  const name = [titlePart, pageName()].filter(Boolean).join(' · ')
  const mark = attentionCount > 0 ? `(${attentionCount}!) ` : connection.get().state === 'lost' ? '(!) ' : ''
  document.title = `${mark}${name && `${name} · `}Rogatka`
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

/** Sets what precedes the page's title while mounted, so that parts of a page differ in their titles. */
export function useTitlePart(part: string | null): void {
  useEffect(() => {
    titlePart = part
    updateTitle()
    return () => {
      titlePart = null
      updateTitle()
    }
  }, [part])
}

/** Sets the fallback title: the name of the navigation target. */
export function useFallbackTitle(name: string | null): void {
  useEffect(() => {
    fallbackTitle = name
    updateTitle()
  }, [name])
}
