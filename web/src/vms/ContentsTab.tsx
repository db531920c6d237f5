import { removeSignContent, type WireUpkeepContent } from '@rogatka/contract/vms-upkeep.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { MISSING } from '../core/format.ts'
import { DeleteEntry } from '../core/frame/DeleteEntry.tsx'
import { WholeList } from '../core/frame/WholeList.tsx'
import { hasDraft } from '../core/useDraft.ts'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { EntryActions } from '../ui/EntryActions.tsx'
import { ContentForm, contentDraft, usePictogramName } from './ContentForm.tsx'
import { UpkeepDialog } from './UpkeepDialog.tsx'
import { useDescriptionColumn } from './useDescriptionColumn.ts'
import { invalidateSigns, useUpkeepContents } from './useSignUpkeep.ts'

type Props = { isAdding: boolean; onAdded: () => void }

/** Contents of signs: list and form. */
export function ContentsTab({ isAdding, onAdded }: Props) {
  const { t } = useTranslation('vms')
  const client = useQueryClient()
  const list = useUpkeepContents()
  const [edited, setEdited] = useState<WireUpkeepContent | null>()
  if (edited === undefined && list.data) setEdited(list.data.find(({ id }) => hasDraft(contentDraft(id))) ?? null)
  const reload = () => void invalidateSigns(client)
  const columns = useColumns(setEdited, reload)
  const texts = { loading: t('loading'), failed: t('contents-failed'), none: t('no-contents') }
  return (
    <>
      <WholeList list={list} texts={texts}>
        {(rows) => <DataTable label={t('tab-contents')} columns={columns} rows={rows} keyOf={({ id }) => id} />}
      </WholeList>
      {(isAdding || edited) && (
        <UpkeepDialog
          key={edited?.id ?? 'new'}
          title={edited ? t('ui:change-named', { name: edited.description }) : t('new-content')}
          entry={edited ?? undefined}
          onClose={() => {
            setEdited(null)
            onAdded()
          }}
          onChanged={reload}
        >
          {(form) => <ContentForm {...form} />}
        </UpkeepDialog>
      )}
    </>
  )
}

function useColumns(onEdit: (content: WireUpkeepContent) => void, onChanged: () => void): Column<WireUpkeepContent>[] {
  const { t } = useTranslation('vms')
  const pictogramName = usePictogramName()
  const descriptionColumn = useDescriptionColumn<WireUpkeepContent>()
  return [
    descriptionColumn,
    {
      key: 'pictogram',
      title: t('pictogram'),
      wide: true,
      cell: ({ pictogram }) => (pictogram === null ? MISSING : pictogramName(pictogram)),
    },
    { key: 'graphic', title: t('graphic'), right: true, cell: ({ graphic }) => graphic ?? MISSING },
    { key: 'lines', title: t('lines'), wide: true, cell: ({ lines }) => lines.join(' / ') || MISSING },
    { key: 'uses', title: t('signs-title'), right: true, sortBy: ({ uses }) => uses, cell: ({ uses }) => uses },
    {
      key: 'actions',
      title: t('ui:change'),
      plain: true,
      cell: (content) => (
        <EntryActions name={content.description} onEdit={() => onEdit(content)}>
          {content.uses === 0 && (
            <DeleteEntry
              name={content.description}
              question={t('delete-content-question', { name: content.description })}
              gone="content-not-found"
              remove={() => call(removeSignContent, { params: { id: content.id } })}
              onDeleted={onChanged}
            />
          )}
        </EntryActions>
      ),
    },
  ]
}
