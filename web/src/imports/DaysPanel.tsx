import { useTranslation } from 'react-i18next'
import { formatDay, useFormat } from '../core/format.ts'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { Notice } from '../ui/Notice.tsx'
import css from './Imports.module.css'
import type { Trial } from './useImports.ts'

type Day = Trial['days'][number]

/** Says how many rows go only into the figures, as they are older than the retention; nothing without any. */
export function FiguresNotice({ trial: { figuresOnly, replacedDays } }: { trial: Trial }) {
  const { t } = useTranslation('imports')
  const { number } = useFormat()
  if (figuresOnly === 0) return null
  return (
    <Notice>
      {t('figures-only', { count: figuresOnly, number: number(figuresOnly) })}{' '}
      {replacedDays > 0 && t('replaced-days', { count: replacedDays, number: number(replacedDays) })}
    </Notice>
  )
}

/** Days whose vehicles go only into the figures; nothing without any. */
export function DaysPanel({ trial }: { trial: Trial }) {
  const { t } = useTranslation('imports')
  const { number } = useFormat()
  const days = trial.days.filter(({ figuresOnly }) => figuresOnly > 0)
  const [first, last] = [days[0]?.day, days.at(-1)?.day]
  if (!first || !last) return null
  const columns: Column<Day>[] = [
    { key: 'day', title: t('day'), head: true, sortBy: ({ day }) => day, cell: ({ day }) => formatDay(day) },
    {
      key: 'figures',
      title: t('only-figures'),
      right: true,
      first: 'desc',
      sortBy: ({ figuresOnly }) => figuresOnly,
      cell: ({ figuresOnly }) => number(figuresOnly),
    },
  ]
  const range = { first: formatDay(first), last: formatDay(last) }
  return (
    <section className={css.panel}>
      <header>
        <h2>{t('only-figures')}</h2>
        <span className={css.label}>
          {t('figure-days', { count: trial.figureDays, number: number(trial.figureDays), ...range })}
        </span>
      </header>
      <div className={css.days}>
        <DataTable label={t('only-figures')} columns={columns} rows={days} keyOf={(day) => days.indexOf(day)} />
      </div>
    </section>
  )
}
