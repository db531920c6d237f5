import { TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LeftIcon, RightIcon } from './icons.tsx'
import css from './Pagination.module.css'
import { GAP, parsePage, visiblePages } from './pages.ts'

type Props = {
  /** From 1. */
  page: number
  count: number
  onPage: (page: number) => void
  /** Formats a number in the user's language. */
  format: (number: number) => string
}

/** Page links: first, last, the neighbours of the current page, and a field for any page. */
export function Pagination({ page, count, onPage, format }: Props) {
  const { t } = useTranslation('ui')
  let gaps = 0
  return (
    <nav className={css.pager} aria-label={t('pages')}>
      <Step label={t('previous-page')} to={page - 1} count={count} onPage={onPage} />
      <ol>
        {visiblePages(page, count).map((offered) =>
          offered === GAP ? (
            <li key={`${GAP} ${gaps++}`} className={css.gap}>
              …
            </li>
          ) : (
            <li key={offered} className={isFar(offered, page, count) ? css.far : undefined}>
              <button
                type="button"
                aria-label={t('page', { page: format(offered) })}
                {...(offered === page && { 'aria-current': 'page' as const })}
                onClick={() => onPage(offered)}
              >
                {format(offered)}
              </button>
            </li>
          ),
        )}
      </ol>
      <Step label={t('next-page')} to={page + 1} count={count} onPage={onPage} next />
      <PageField key={page} page={page} count={count} onPage={onPage} />
    </nav>
  )
}

/** Whether narrow screens hide the link. */
const isFar = (offered: number, page: number, count: number) => count > 5 && ![1, page, count].includes(offered)

type StepProps = Pick<Props, 'count' | 'onPage'> & { label: string; to: number; next?: boolean }

const Step = ({ label, to, count, onPage, next = false }: StepProps) => (
  <button
    type="button"
    aria-label={label}
    title={`${label} (${next ? 'PgDn' : 'PgUp'})`}
    disabled={to < 1 || to > count}
    onClick={() => onPage(to)}
  >
    {next ? <RightIcon /> : <LeftIcon />}
  </button>
)

/** Commits on blur and on Enter; resets to the current page if the text is no page number. */
function PageField({ page, count, onPage }: Omit<Props, 'format'>) {
  const { t } = useTranslation('ui')
  const id = useId()
  const [typed, setTyped] = useState(String(page))
  const take = () => {
    const wanted = parsePage(typed, count)
    if (wanted === null) setTyped(String(page))
    else if (wanted !== page) onPage(wanted)
  }
  return (
    <span className={css.field}>
      <label htmlFor={id}>{t('go-to-page')}</label>
      <TextInput
        id={id}
        inputMode="numeric"
        autoComplete="off"
        maxLength={9}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={take}
        onKeyDown={(event) => {
          if (event.key === 'Enter') take()
          if (event.key === 'Escape') setTyped(String(page))
        }}
      />
    </span>
  )
}
