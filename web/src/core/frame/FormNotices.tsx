import type { ReactNode } from 'react'
import type { RestoredDraft } from '../useDraft.ts'
import { DraftNotice } from './DraftNotice.tsx'
import css from './FormNotices.module.css'

type Props = {
  draft: RestoredDraft
  /** Field that the draft does not contain. */
  withheld?: 'password' | undefined
  /** Banners. */
  children: ReactNode
}

/** Notices above a form's fields: restored draft, banners. */
export const FormNotices = ({ draft, withheld, children }: Props) => (
  <div className={css.notices}>
    <DraftNotice draft={draft} {...(withheld && { withheld })} />
    {children}
  </div>
)
