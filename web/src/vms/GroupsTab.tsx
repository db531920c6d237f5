import { Button } from '@mantine/core'
import { removeSignGroup, type WireUpkeepGroup } from '@rogatka/contract/vms-upkeep.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { DeleteEntry } from '../core/frame/DeleteEntry.tsx'
import { WholeList } from '../core/frame/WholeList.tsx'
import { hasDraft } from '../core/useDraft.ts'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { EntryActions } from '../ui/EntryActions.tsx'
import { GroupForm, groupDraft } from './GroupForm.tsx'
import { draftedSign } from './SignForm.tsx'
import { SignsDialog } from './SignsDialog.tsx'
import { UpkeepDialog } from './UpkeepDialog.tsx'
import { useDescriptionColumn } from './useDescriptionColumn.ts'
import { invalidateSigns, useUpkeepGroups } from './useSignUpkeep.ts'

type Props = { isAdding: boolean; onAdded: () => void }

/** Groups of signs: list, form, and the signs of each. */
export function GroupsTab({ isAdding, onAdded }: Props) {
  const { t } = useTranslation('vms')
  const client = useQueryClient()
  const list = useUpkeepGroups()
  const [edited, setEdited] = useState<WireUpkeepGroup | null>()
  if (edited === undefined && list.data) setEdited(list.data.find(({ id }) => hasDraft(groupDraft(id))) ?? null)
  const [opened, setOpened] = useState<number | null>()
  if (opened === undefined && list.data) setOpened(list.data.find((group) => draftedSign(group) !== null)?.id ?? null)
  const reload = () => void invalidateSigns(client)
  const columns = useColumns({ onEdit: setEdited, onSigns: ({ id }) => setOpened(id), onChanged: reload })
  const withSigns = list.data?.find(({ id }) => id === opened)
  const texts = { loading: t('loading'), failed: t('groups-failed'), none: t('none') }
  return (
    <>
      <WholeList list={list} texts={texts}>
        {(groups) => <DataTable label={t('tab-groups')} columns={columns} rows={groups} keyOf={({ id }) => id} />}
      </WholeList>
      {isAdding && (
        <UpkeepDialog<WireUpkeepGroup> title={t('new-group')} onClose={onAdded} onChanged={reload}>
          {(form) => <GroupForm {...form} />}
        </UpkeepDialog>
      )}
      {edited && (
        <UpkeepDialog
          title={t('ui:change-named', { name: edited.description })}
          entry={edited}
          onClose={() => setEdited(null)}
          onChanged={reload}
        >
          {(form) => <GroupForm {...form} />}
        </UpkeepDialog>
      )}
      {withSigns && <SignsDialog group={withSigns} onClose={() => setOpened(null)} onChanged={reload} />}
    </>
  )
}

type Events = {
  onEdit: (group: WireUpkeepGroup) => void
  onSigns: (group: WireUpkeepGroup) => void
  onChanged: () => void
}

function useColumns({ onEdit, onSigns, onChanged }: Events): Column<WireUpkeepGroup>[] {
  const { t } = useTranslation('vms')
  return [
    useDescriptionColumn<WireUpkeepGroup>(),
    {
      key: 'station',
      title: t('ui:station'),
      sortBy: ({ shortName }) => shortName,
      cell: ({ shortName }) => shortName,
    },
    { key: 'variants', title: t('variants'), wide: true, cell: ({ variants }) => variants.join(', ') },
    { key: 'signs', title: t('signs-title'), right: true, cell: ({ signs }) => signs.length },
    { key: 'state', title: t('status'), cell: ({ enabled }) => t(enabled ? 'group-enabled' : 'group-disabled') },
    {
      key: 'actions',
      title: t('ui:change'),
      plain: true,
      cell: (group) => (
        <EntryActions name={group.description} onEdit={() => onEdit(group)}>
          <Button
            variant="default"
            size="xs"
            aria-label={t('signs-of', { group: group.description })}
            onClick={() => onSigns(group)}
          >
            {t('signs-title')}
          </Button>
          {group.signs.length === 0 && (
            <DeleteEntry
              name={group.description}
              question={t('delete-group-question', { name: group.description })}
              gone="sign-group-not-found"
              remove={() => call(removeSignGroup, { params: { id: group.id } })}
              onDeleted={onChanged}
            />
          )}
        </EntryActions>
      ),
    },
  ]
}
