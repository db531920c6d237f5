import { type ReactNode, useDeferredValue, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useShortcuts } from '../shortcuts.ts'
import css from './FilterPanel.module.css'
import { LazyDialog } from './LazyDialog.tsx'
import { Legend } from './Legend.tsx'
import { closeFilterPanel, useFilterPanel } from './useFilterPanel.ts'

type Props = {
  /** Absent: "active filters". */
  title?: string
  /** The `FilterSection`s. */
  children: ReactNode
  /** At the bottom; absent: the legend of station marks. */
  legend?: ReactNode
}

/** Filter panel: active filters with remove buttons; beside the page, or over it on narrow screens (F). */
export function FilterPanel({ title, children, legend = <Legend /> }: Props) {
  const { t } = useTranslation()
  const name = title ?? t('active-filters')
  const { kind, open: isOpen, toggle } = useFilterPanel()
  // The button responds before the panel is rendered.
  const open = useDeferredValue(isOpen)
  useShortcuts([{ key: 'f', label: t('key-filters'), run: toggle }])
  // An open drawer would cover the next page.
  useEffect(() => closeFilterPanel, [])

  const foot = <div className={css.foot}>{legend}</div>
  if (kind !== 'beside')
    return (
      <LazyDialog title={name} open={open} onClose={closeFilterPanel} from={kind === 'sheet' ? 'below' : 'left'} flush>
        {children}
        {foot}
      </LazyDialog>
    )
  if (!open) return null
  return (
    <aside className={css.panel} aria-label={name}>
      <h2 className={css.head}>{name}</h2>
      <div className={css.sections}>{children}</div>
      {foot}
    </aside>
  )
}
