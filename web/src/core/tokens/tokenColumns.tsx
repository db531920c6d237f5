import type { ReactNode } from 'react'
import type { Column } from '../../ui/DataTable.tsx'
import { type Status, StatusMark } from '../../ui/StatusMark.tsx'
import css from './Tokens.module.css'

/** What holds a token without being a user. */
export type TokenHolder = {
  id: number
  name: string
  remark: string | null
  state: 'active' | 'ended' | 'revoked'
  manageable: boolean
}

const MARKS: Record<TokenHolder['state'], Status> = {
  active: 'available',
  ended: 'attention',
  revoked: 'unavailable',
}

/** The column of names, with remarks. */
export const nameColumn = <T extends TokenHolder>(title: string): Column<T> => ({
  key: 'name',
  share: 2.6,
  title,
  head: true,
  wide: true,
  cell: ({ name, remark }) => (
    <>
      {name}
      {remark && <span className={css.remark}>{remark}</span>}
    </>
  ),
})

/** The column of states; `textOf`: the name of a state. */
export const stateColumn = <T extends TokenHolder>(
  title: string,
  textOf: (state: TokenHolder['state']) => string,
): Column<T> => ({
  key: 'state',
  share: 1.8,
  title,
  cell: ({ state }) => (
    <span className={css.state}>
      <StatusMark status={MARKS[state]} />
      {textOf(state)}
    </span>
  ),
})

/** The column of buttons. */
export const actionsColumn = <T extends TokenHolder>(title: string, cell: (holder: T) => ReactNode): Column<T> => ({
  key: 'actions',
  share: 3.6,
  title,
  plain: true,
  cell,
})
