import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorBanner } from './ErrorBanner.tsx'
import css from './FigurePanel.module.css'
import { Loading } from './Loading.tsx'

type Props<T> = {
  title: string
  /** Beside the title. */
  note?: ReactNode
  /** Right-aligned in the head. */
  aside?: ReactNode
  result: { data: T | undefined; error: unknown; isFetching: boolean; refetch: () => unknown }
  /** Grey shapes in place of the content. */
  skeleton: ReactNode
  className?: string | undefined
  children: (data: T) => ReactNode
}

/** A panel of figures with its own loading and error state, so that the others remain. */
export function FigurePanel<T>({ title, note, aside, result, skeleton, className = '', children }: Props<T>) {
  const { t } = useTranslation('ui')
  const { data, error, isFetching, refetch } = result
  return (
    <section className={`${css.panel} ${className}`} aria-label={title}>
      <header className={css.head}>
        <h2>{title}</h2>
        {note && <span className={css.note}>{note}</span>}
        {aside && <span className={css.aside}>{aside}</span>}
      </header>
      {data !== undefined ? (
        children(data)
      ) : (
        <div className={css.state}>
          {error && !isFetching ? (
            <ErrorBanner error={error} title={t('figures-failed')} retry={() => void refetch()} />
          ) : (
            <Loading label={t('calculating')} skeleton={skeleton} />
          )}
        </div>
      )}
    </section>
  )
}
