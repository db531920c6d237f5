import type { ReactNode } from 'react'
import { BackToTop } from './BackToTop.tsx'
import { ErrorArea } from './ErrorArea.tsx'
import css from './PageLayout.module.css'

/** Scroll area of the page, focusable for the keyboard; page errors are at its top. */
export function Main({ children }: { children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable by keyboard even without controls inside
    <main id="main" className={css.main} tabIndex={0}>
      <ErrorArea />
      {children}
      <BackToTop />
    </main>
  )
}
