import { Checkbox, Select, TextInput } from '@mantine/core'
import {
  addPlate,
  BLACK,
  changePlate,
  MAX_PLATE,
  type TypeOfList,
  type WireWantedPlate,
} from '@rogatka/contract/wanted.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { DateTimeField } from '../ui/DateTimeField.tsx'
import { DescriptionField, EntryForm } from './EntryForm.tsx'
import { NobodyNotified } from './NobodyNotified.tsx'
import { useEntryForm } from './useEntryForm.ts'
import css from './Wanted.module.css'

type Props = {
  typeOfList: TypeOfList
  /** The entry that is changed; absent: a new one is added. */
  entry?: WireWantedPlate
  /** The users to whom the entry may be given; null: it is one's own. */
  owners: { value: string; label: string }[] | null
  owner: number | null
  onOwner: (id: number) => void
  onSaved: () => void
  onCancel?: () => void
}

const FIELDS = ['plateLpr', 'description', 'expiresAt', 'userId']
const EMPTY = { plate: '', description: '', expiresAt: null as string | null, allowMisread: false }

const valuesOf = ({ plateLpr, description, expiresAt, allowMisread }: WireWantedPlate): typeof EMPTY => ({
  plate: plateLpr,
  description,
  expiresAt,
  allowMisread,
})

/** Puts a plate on the list, or changes an entry of it. */
export function PlateForm({ typeOfList, entry, owners, owner, onOwner, onSaved, onCancel }: Props) {
  const { t } = useTranslation('wanted')
  const entryForm = useEntryForm({
    empty: entry ? valuesOf(entry) : EMPTY,
    fields: FIELDS,
    isFilled: ({ plate, description }) => plate.trim() !== '' && description.trim() !== '',
    send: ({ plate, ...rest }) => {
      const body = { ...rest, plateLpr: plate, userId: owner }
      return entry
        ? call(changePlate, { params: { id: entry.id }, body: { ...body, version: entry.version } })
        : call(addPlate, { body: { ...body, typeOfList } })
    },
    keep: (sent) => (entry ? sent : { allowMisread: sent.allowMisread }),
    onAdded: onSaved,
  })
  const { values, change, faults, first } = entryForm
  const { plate, description, expiresAt, allowMisread } = values

  return (
    <EntryForm form={entryForm} title={entry ? null : t('new-plate')} missing={t('plate-missing')} onCancel={onCancel}>
      <div className={css.pair}>
        <TextInput
          ref={first}
          label={t('plate')}
          maxLength={MAX_PLATE}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          value={plate}
          onChange={(event) => change({ plate: event.currentTarget.value })}
          error={faults.plateLpr}
        />
        <DescriptionField
          value={description}
          onChange={(description) => change({ description })}
          error={faults.description}
        />
        <DateTimeField
          label={t('ui:optional', { what: t('expires') })}
          dayTime="end"
          value={expiresAt}
          onChange={(instant) => change({ expiresAt: instant })}
          clearLabel={t('no-expiry')}
          error={faults.expiresAt}
        />
        {owners && (
          <Select
            label={t('owner')}
            data={owners}
            searchable
            allowDeselect={false}
            nothingFoundMessage={t('no-user')}
            comboboxProps={{ transitionProps: { duration: 0 } }}
            value={owner === null ? null : String(owner)}
            onChange={(id) => id !== null && onOwner(Number(id))}
            error={faults.userId}
          />
        )}
      </div>
      <div className={css.boxes}>
        <Checkbox
          label={t('misread')}
          checked={allowMisread}
          onChange={(event) => change({ allowMisread: event.currentTarget.checked })}
        />
      </div>
      {typeOfList === BLACK && <NobodyNotified owner={owner} />}
    </EntryForm>
  )
}
