import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useShortcuts } from '../shortcuts.ts'
import { LateDialog } from './LateDialog.tsx'
import { Legend } from './Legend.tsx'
import css from './Rail.module.css'
import { closeRail, useRail } from './rail.ts'

type Props = {
  /** Absent: the chosen filters. */
  title?: string
  /** What was chosen: `FilterSection`s. */
  children: ReactNode
  /** At the foot; absent: available and unavailable stations. */
  legend?: ReactNode
}

/** The chosen filters, read-only but for their bins: beside the page, or over it on narrow screens (F). */
export function Rail({ title, children, legend = <Legend /> }: Props) {
  const { t } = useTranslation()
  const name = title ?? t('chosen-filters')
  const { kind, open, toggle } = useRail()
  useShortcuts([{ key: 'f', label: t('key-filters'), run: toggle }])
  // A drawer that stayed open would cover the next page.
  useEffect(() => closeRail, [])

  const foot = <div className={css.foot}>{legend}</div>
  if (kind !== 'beside')
    return (
      <LateDialog title={name} open={open} onClose={closeRail} from={kind === 'sheet' ? 'below' : 'left'} flush>
        {children}
        {foot}
      </LateDialog>
    )
  if (!open) return null
  return (
    <aside className={css.rail} aria-label={name}>
      <h2 className={css.head}>{name}</h2>
      <div className={css.sections}>{children}</div>
      {foot}
    </aside>
  )
}
