import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { Loading } from '../ui/Loading.tsx'
import css from './Effectiveness.module.css'

type Props<T> = {
  title: string
  /** Right-aligned in the head. */
  note?: ReactNode
  result: { data: T | undefined; error: unknown; isFetching: boolean; refetch: () => unknown }
  children: (data: T) => ReactNode
}

/** A panel with its own loading and error state, so that the others remain. */
export function EffectivenessPanel<T>({ title, note, result, children }: Props<T>) {
  const { t } = useTranslation('inspections')
  const { data, error, isFetching, refetch } = result
  return (
    <section className={css.panel} aria-label={title}>
      <header className={css.head}>
        <h2>{title}</h2>
        {note && <span className={css.note}>{note}</span>}
      </header>
      {data !== undefined ? (
        children(data)
      ) : error && !isFetching ? (
        <div className={css.failed}>
          <ErrorBanner error={error} title={t('effectiveness-failed')} retry={() => void refetch()} />
        </div>
      ) : (
        <div className={css.waiting}>
          <Loading label={t('ui:calculating')} skeleton={<Bones />} />
        </div>
      )}
    </section>
  )
}

/** Grey lines in place of a table. */
export const Bones = () => (
  <div className={css.bones} aria-hidden="true">
    {[1, 2, 3, 4, 5, 6].map((row) => (
      <i key={row} />
    ))}
  </div>
)
