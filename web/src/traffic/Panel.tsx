import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { Loading } from '../ui/Loading.tsx'
import css from './Traffic.module.css'
import type { Result } from './useTraffic.ts'

type Props<T> = {
  title: string
  /** Beside the title: unit and bin. */
  note?: string
  /** Right-aligned in the head. */
  aside?: ReactNode
  result: Result<T>
  children: (data: T) => ReactNode
}

/** A panel with its own loading and error state, so that the others remain. */
export function Panel<T>({ title, note, aside, result, children }: Props<T>) {
  const { t } = useTranslation('traffic')
  const { data, error, isFetching, refetch } = result
  return (
    <section className={css.panel} aria-label={title}>
      <header className={css.head}>
        <h2>{title}</h2>
        {note && <span className={css.note}>{note}</span>}
        {aside && <span className={css.aside}>{aside}</span>}
      </header>
      {data !== undefined ? (
        children(data)
      ) : error && !isFetching ? (
        <div className={css.state}>
          <ErrorBanner error={error} title={t('failed')} retry={() => void refetch()} />
        </div>
      ) : (
        <div className={css.waiting}>
          <Loading label={t('ui:calculating')} skeleton={<div className={css.bones} aria-hidden="true" />} />
        </div>
      )}
    </section>
  )
}
