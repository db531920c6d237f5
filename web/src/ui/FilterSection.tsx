import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import css from './FilterSection.module.css'
import { TrashIcon } from './icons.tsx'

type Props = {
  title: string
  /** Removes the whole filter; absent: no remove button. */
  onRemove?: () => void
  children: ReactNode
}

/** An active filter with a remove button. */
export const FilterSection = ({ title, onRemove, children }: Props) => (
  <section className={css.section}>
    <header>
      <h3>{title}</h3>
      {onRemove && <RemoveButton name={title} onClick={onRemove} />}
    </header>
    {children}
  </section>
)

export const FilterLines = ({ children }: { children: ReactNode }) => <ul className={css.lines}>{children}</ul>

type LineProps = {
  children: ReactNode
  /** Right-aligned: a count or a bound. */
  figure?: ReactNode
  /** Removes only this value. */
  onRemove?: { name: string; run: () => void }
}

/** One value of a filter. */
export const FilterLine = ({ children, figure, onRemove }: LineProps) => (
  <li>
    {children}
    {figure !== undefined && figure !== null && <span className={css.figure}>{figure}</span>}
    {onRemove && <RemoveButton name={onRemove.name} onClick={onRemove.run} />}
  </li>
)

function RemoveButton({ name, onClick }: { name: string; onClick: () => void }) {
  const { t } = useTranslation('ui')
  const label = t('remove-filter', { name })
  return (
    <button type="button" className={css.remove} onClick={onClick} aria-label={label} title={label}>
      <TrashIcon size={14} />
    </button>
  )
}
