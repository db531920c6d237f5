import type { ComponentProps, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../core/format.ts'
import { DataTable } from '../ui/DataTable.tsx'
import css from './Shifts.module.css'

type Props = {
  title: string
  /** Names and numbers; an attention mark for those above 0 that nobody has dealt with. */
  counts: readonly (readonly [name: string, count: number, isBad?: boolean])[]
  children: ReactNode
}

/** A part of the report: its numbers, then its lists. */
export function ShiftSection({ title, counts, children }: Props) {
  const { number } = useFormat()
  return (
    <section className={css.panel} aria-label={title}>
      <h3>{title}</h3>
      <dl className={css.counts}>
        {counts.map(([name, count, isBad]) => (
          <div key={name} className={isBad && count > 0 ? css.bad : undefined}>
            <dt>{name}</dt>
            <dd>{number(count)}</dd>
          </div>
        ))}
      </dl>
      {children}
    </section>
  )
}

type ListProps<R> = Omit<ComponentProps<typeof DataTable<R>>, 'selection' | 'order' | 'stale'> & {
  /** How many there are in all. */
  of: number
}

/** A list of the report, and how many rows are left out; nothing if it is empty. */
export function ShiftList<R>({ of, ...table }: ListProps<R>) {
  return table.rows.length > 0 ? (
    <>
      <DataTable {...table} />
      <Rest shown={table.rows.length} of={of} />
    </>
  ) : null
}

/** That a list is only the first part of what was found; nothing if it is complete. */
function Rest({ shown, of }: { shown: number; of: number }) {
  const { t } = useTranslation('shifts')
  const { number } = useFormat()
  return of > shown ? <p className={css.note}>{t('first', { shown: number(shown), of: number(of) })}</p> : null
}
