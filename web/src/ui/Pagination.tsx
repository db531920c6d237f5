import { TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LeftIcon, RightIcon } from './icons.tsx'
import css from './Pagination.module.css'
import { GAP, parsePage, visiblePages } from './pages.ts'

type Props = {
  /** Name of the list, where a page has several. */
  label?: string
  /** From 1. */
  page: number
  count: number
  onPage: (page: number) => void
  /** Formats a number in the user's language. */
  format: (number: number) => string
}

/** Page links: first, last, the neighbours of the current page, and a field for any page. */
export function Pagination({ label, page, count, onPage, format }: Props) {
  const { t } = useTranslation('ui')
  let gaps = 0
  return (
    <nav className={css.pager} aria-label={label === undefined ? t('pages') : `${t('pages')}: ${label}`}>
      <Step label={t('previous-page')} to={page - 1} count={count} onPage={onPage} />
      <ol>
        {visiblePages(page, count).map((item) =>
          item === GAP ? (
            <li key={`${GAP} ${gaps++}`} className={css.gap}>
              …
            </li>
          ) : (
            <li key={item} className={isFar(item, page, count) ? css.far : undefined}>
              <button
                type="button"
                aria-label={t('page', { page: format(item) })}
                {...(item === page && { 'aria-current': 'page' as const })}
                onClick={() => onPage(item)}
              >
                {format(item)}
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
const isFar = (item: number, page: number, count: number) => count > 5 && ![1, page, count].includes(item)

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
  const [text, setText] = useState(String(page))
  const commit = () => {
    const target = parsePage(text, count)
    if (target === null) setText(String(page))
    else if (target !== page) onPage(target)
  }
  return (
    <span className={css.field}>
      <label htmlFor={id}>{t('go-to-page')}</label>
      <TextInput
        id={id}
        inputMode="numeric"
        autoComplete="off"
        maxLength={9}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit()
          if (event.key === 'Escape') setText(String(page))
        }}
      />
    </span>
  )
}
