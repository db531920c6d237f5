import { VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { AscendingIcon, DescendingIcon, DownIcon } from './icons.tsx'
import css from './SortHead.module.css'
import type { Level } from './sortLevels.ts'

type Props<C extends string> = {
  title: string
  column: C
  levels: readonly Level<C>[]
  /** With Shift it adds a level, if there may be several. */
  onSort: (isAdded: boolean) => void
  /** Only one level is possible. */
  single?: boolean
}

/** Button of a column header that sorts: a chevron, or the arrow of its direction and, of several, its level. */
export function SortHead<C extends string>({ title, column, levels, onSort, single = false }: Props<C>) {
  const { t } = useTranslation('ui')
  const at = levels.findIndex((level) => level.column === column)
  const direction = levels[at]?.direction
  const SortIcon = direction === undefined ? DownIcon : direction === 'asc' ? AscendingIcon : DescendingIcon
  return (
    <button
      type="button"
      className={css.sort}
      data-sorted={direction}
      title={t(single ? 'sort' : 'sort-hint')}
      onClick={(event) => onSort(!single && event.shiftKey)}
    >
      <span className={css.title} data-title={title}>
        {title}
      </span>
      <span className={css.mark}>
        <SortIcon size={direction ? 13 : 10} />
        {direction && levels.length > 1 && <i>{at + 1}</i>}
      </span>
    </button>
  )
}

const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const

/** Attributes of a column header: `aria-sort` may be set on one column only, the first level. */
export const sortedBy = <C extends string>(levels: readonly Level<C>[], column: C | undefined) =>
  levels[0] && levels[0].column === column ? { 'aria-sort': ARIA_SORT[levels[0].direction] } : {}

type HeaderProps<C extends string> = Omit<Props<C>, 'column'> & {
  /** Absent: it does not sort. */
  column: C | undefined
  classNames: readonly (string | false | undefined)[]
}

/** Column header that sorts. */
export function SortHeader<C extends string>({ column, classNames, ...head }: HeaderProps<C>) {
  return (
    <th scope="col" className={classNames.filter(Boolean).join(' ') || undefined} {...sortedBy(head.levels, column)}>
      {column ? <SortHead {...head} column={column} /> : <span>{head.title}</span>}
    </th>
  )
}

type CaptionProps<C extends string> = { levels: readonly Level<C>[]; titleOf: (column: C) => string }

/** Caption of a table for screen readers: its order by all levels. */
export function SortCaption<C extends string>({ levels, titleOf }: CaptionProps<C>) {
  const { t } = useTranslation('ui')
  const texts = levels.map(({ column, direction }) => `${titleOf(column)} ${t(`sorted-${direction}`)}`)
  return (
    <VisuallyHidden component="caption">{texts.length > 0 && t('sorted', { levels: texts.join(', ') })}</VisuallyHidden>
  )
}
