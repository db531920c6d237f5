import type { ReactNode } from 'react'
import { BackToTop } from './BackToTop.tsx'
import { ErrorArea } from './ErrorArea.tsx'
import css from './PageLayout.module.css'

/** The part of a page that scrolls, also by the keyboard; messages of the page stand at its top. */
export function Main({ children }: { children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard has to reach what scrolls, also where it holds no control
    <main id="main" className={css.main} tabIndex={0}>
      <ErrorArea />
      {children}
      <BackToTop />
    </main>
  )
}
