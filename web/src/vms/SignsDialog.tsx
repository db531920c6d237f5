import { Button } from '@mantine/core'
import { removeSign, type WireUpkeepGroup, type WireUpkeepSign } from '@rogatka/contract/vms-upkeep.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { MISSING } from '../core/format.ts'
import { DeleteEntry } from '../core/frame/DeleteEntry.tsx'
import { WholeList } from '../core/frame/WholeList.tsx'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { EntryActions } from '../ui/EntryActions.tsx'
import { Notice } from '../ui/Notice.tsx'
import { draftedSign, SignForm } from './SignForm.tsx'
import { UpkeepDialog } from './UpkeepDialog.tsx'
import { useUpkeepContents } from './useSignUpkeep.ts'
import css from './Vms.module.css'

type Props = { group: WireUpkeepGroup; onClose: () => void; onChanged: () => void }

/** Signs of a group: list, and form of one. They change only while the group is disabled. */
export function SignsDialog({ group, onClose, onChanged }: Props) {
  const { t } = useTranslation('vms')
  const [edited, setEdited] = useState(() => draftedSign(group))
  const columns = useColumns(group, setEdited, onChanged)
  const nameOf = ({ number, roadNumber, chainage }: WireUpkeepSign) => t('sign', { number, road: roadNumber, chainage })
  if (edited !== null) {
    const sign = edited === 'new' ? undefined : edited
    return (
      <UpkeepDialog
        title={sign ? nameOf(sign) : t('new-sign')}
        entry={sign && { ...sign, version: group.version }}
        onClose={() => setEdited(null)}
        onChanged={onChanged}
      >
        {(form) => <SignForm {...form} group={group} />}
      </UpkeepDialog>
    )
  }
  return (
    <Dialog title={t('signs-of', { group: group.description })} open onClose={onClose} wide>
      <div className={css.upkeepSigns}>
        {group.enabled ? (
          <Notice>{t('enabled-hint')}</Notice>
        ) : (
          <Button onClick={() => setEdited('new')}>{t('add-sign')}</Button>
        )}
        <WholeList
          list={{ data: group.signs, error: null, refetch: () => {} }}
          texts={{ loading: t('loading'), failed: t('failed'), none: t('no-signs') }}
        >
          {(signs) => (
            <DataTable
              label={t('signs-of', { group: group.description })}
              columns={columns}
              rows={signs}
              keyOf={({ id }) => id}
            />
          )}
        </WholeList>
      </div>
    </Dialog>
  )
}

function useColumns(
  { enabled, variants }: WireUpkeepGroup,
  onEdit: (sign: WireUpkeepSign) => void,
  onChanged: () => void,
): Column<WireUpkeepSign>[] {
  const { t } = useTranslation('vms')
  const { data: contents } = useUpkeepContents()
  const contentName = (id: number | null) => contents?.find((content) => content.id === id)?.description ?? MISSING
  const nameOf = ({ roadNumber, chainage }: WireUpkeepSign) => `${roadNumber} ${chainage}`
  const actions: Column<WireUpkeepSign> = {
    key: 'actions',
    title: t('ui:change'),
    plain: true,
    cell: (sign) => (
      <EntryActions name={nameOf(sign)} onEdit={() => onEdit(sign)}>
        <DeleteEntry
          name={nameOf(sign)}
          question={t('delete-sign-question', { name: nameOf(sign) })}
          gone="sign-not-found"
          remove={() => call(removeSign, { params: { id: sign.id } })}
          onDeleted={onChanged}
        />
      </EntryActions>
    ),
  }
  return [
    { key: 'place', title: t('sign-place'), head: true, cell: (sign) => `${sign.number}. ${nameOf(sign)}` },
    {
      key: 'address',
      title: t('address'),
      wide: true,
      cell: ({ driver, host, port, showsPlates }) =>
        [t(`driver-${driver}`), driver === 'ntcip1203' && `${host}:${port}`, showsPlates && t('shows-plates')]
          .filter(Boolean)
          .join(', '),
    },
    {
      key: 'contents',
      title: t('contents'),
      wide: true,
      cell: ({ contentIds }) =>
        variants.map((name, index) => `${name}: ${contentName(contentIds[index] ?? null)}`).join(', '),
    },
    ...(enabled ? [] : [actions]),
  ]
}
