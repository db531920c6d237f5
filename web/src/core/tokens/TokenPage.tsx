import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AddButton } from '../../ui/AddButton.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { ListTitle } from '../../ui/ListTitle.tsx'
import { PageLayout } from '../frame/PageLayout.tsx'
import { WholeList } from '../frame/WholeList.tsx'
import { hasDraft } from '../useDraft.ts'
import type { EntryFormProps } from '../useEntryForm.ts'
import { useSuccessToast } from '../useSuccessToast.ts'

/** What a list of holders needs to know of them. */
type HolderListItem = { id: number; name: string; state: string; manageable: boolean }

type Props<T> = {
  list: UseQueryResult<T[]>
  texts: { title: string; add: string; new: string; loading: string; failed: string; none: string }
  columns: (onEdit: (holder: T) => void) => Column<T>[]
  /** Id of the draft of a form; without an id of a new holder. */
  draftOf: (id?: number) => string
  onReload: () => void
  form: (props: EntryFormProps<T>) => ReactNode
  /** The dialog with a new token. */
  children: ReactNode
}

/** Holders of tokens: list and form. */
export function TokenPage<T extends HolderListItem>({
  list,
  texts,
  columns,
  draftOf,
  onReload,
  form,
  children,
}: Props<T>) {
  const { t } = useTranslation('ui')
  const showSuccess = useSuccessToast()
  /** Undefined until it is known whether a draft was kept over a sign-in. */
  const [selected, setSelected] = useState<T | 'new' | null>()
  if (selected === undefined && list.data) setSelected(findDraft(list.data, draftOf))
  const close = () => setSelected(null)
  const entry = selected === 'new' ? undefined : (selected ?? undefined)
  const finish = () => {
    if (entry) showSuccess(t('saved', { name: entry.name }))
    onReload()
    close()
  }
  const props = { onSaved: finish, onStale: onReload, onCancel: close }
  return (
    <PageLayout
      title={<ListTitle>{texts.title}</ListTitle>}
      actions={<AddButton label={texts.add} onClick={() => setSelected('new')} />}
    >
      <WholeList list={list} texts={texts}>
        {(rows) => (
          <DataTable
            label={texts.title}
            columns={columns(setSelected)}
            rows={rows}
            keyOf={({ id }) => id}
            toneOf={({ state }) => (state === 'active' ? undefined : 'faded')}
          />
        )}
      </WholeList>
      {selected && (
        <Dialog title={entry ? t('change-named', { name: entry.name }) : texts.new} open onClose={close} wide>
          {form(entry ? { ...props, entry } : props)}
        </Dialog>
      )}
      {children}
    </PageLayout>
  )
}

/** The holder whose form has a draft; null without one. */
function findDraft<T extends HolderListItem>(holders: readonly T[], draftOf: Props<T>['draftOf']): T | 'new' | null {
  if (hasDraft(draftOf())) return 'new'
  return holders.find(({ id, manageable, state }) => manageable && state !== 'revoked' && hasDraft(draftOf(id))) ?? null
}
