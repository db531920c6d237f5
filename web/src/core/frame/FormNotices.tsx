import type { ReactNode } from 'react'
import type { RestoredDraft } from '../useDraft.ts'
import { DraftNotice } from './DraftNotice.tsx'
import css from './FormNotices.module.css'

type Props = {
  draft: RestoredDraft
  /** What a draft came back without. */
  withheld?: 'password' | undefined
  /** Banners. */
  children: ReactNode
}

/** Above the fields of a form: a draft that came back, and banners. */
export const FormNotices = ({ draft, withheld, children }: Props) => (
  <div className={css.notices}>
    <DraftNotice draft={draft} {...(withheld && { withheld })} />
    {children}
  </div>
)
