import { useTranslation } from 'react-i18next'
import { MISSING, useFormat } from '../core/format.ts'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import css from './Imports.module.css'
import { RefusedButton } from './RefusedButton.tsx'
import type { Import, Trial } from './useImports.ts'

type Reason = Trial['reasons'][number]

/** Names of the values that reasons may name; others are shown by the text alone. */
const NAMED = ['speed', 'vehLength', 'vehHeight', 'ctg8p1', 'axles', 'gross', 'plateLpr', 'nationality', 'sequence']

/** Refused rows by reason, and their download. */
export function ReasonsPanel({ entry, trial }: { entry: Import; trial: Trial }) {
  const { t } = useTranslation('imports')
  const { number } = useFormat()
  const nameOf = ({ path, text }: Reason) => (path && NAMED.includes(path) ? `${t(`value-${path}`)}: ${text}` : text)
  const columns: Column<Reason>[] = [
    {
      key: 'reason',
      title: t('reason'),
      head: true,
      wide: true,
      sortBy: nameOf,
      cell: (reason) => <b>{nameOf(reason)}</b>,
    },
    {
      key: 'rows',
      title: t('row-count'),
      right: true,
      first: 'desc',
      sortBy: ({ rows }) => rows,
      cell: ({ rows }) => <b>{number(rows)}</b>,
    },
    {
      key: 'line',
      title: t('first-line'),
      right: true,
      sortBy: ({ firstLine }) => firstLine,
      cell: ({ firstLine }) => number(firstLine),
    },
    {
      key: 'example',
      title: t('example'),
      wide: true,
      cell: ({ example }) => <span className={css.example}>{example ?? MISSING}</span>,
    },
  ]
  return (
    <section className={css.panel}>
      <header>
        <h2>{t('refused-by-reason')}</h2>
        <span className={css.action}>
          {entry.hasRefusedFile && <RefusedButton entry={entry} count={trial.refused} />}
        </span>
      </header>
      {trial.reasons.length === 0 ? (
        <p className={css.none}>{t('none-refused')}</p>
      ) : (
        <DataTable
          label={t('refused-by-reason')}
          columns={columns}
          rows={trial.reasons}
          keyOf={(reason) => trial.reasons.indexOf(reason)}
        />
      )}
    </section>
  )
}
