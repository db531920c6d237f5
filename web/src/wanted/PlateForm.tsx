import { Checkbox, Select, TextInput } from '@mantine/core'
import { BLACK, MAX_PLATE_LENGTH, type TypeOfList } from '@rogatka/contract/options.ts'
import { addPlate, changePlate, plate as plateEndpoint, type WireWantedPlate } from '@rogatka/contract/wanted.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { formatDateTime } from '../core/format.ts'
import { EntryForm } from '../core/frame/EntryForm.tsx'
import { type EntryFormProps, useEntryForm } from '../core/useEntryForm.ts'
import { useRight } from '../core/useSelf.ts'
import { DateTimeField } from '../ui/DateTimeField.tsx'
import { Checkboxes, FieldColumn, FieldPair } from '../ui/Fields.tsx'
import { StoredValue, storedBelow } from '../ui/StoredValue.tsx'
import { DescriptionField } from './DescriptionField.tsx'
import { NobodyNotified } from './NobodyNotified.tsx'
import { Recipients } from './Recipients.tsx'

type Props = EntryFormProps<WireWantedPlate> & {
  typeOfList: TypeOfList
  /** Possible owners; null: always the user. */
  owners: { value: string; label: string }[] | null
  /** Default owner of a new entry; null while loading. */
  self: number | null
  onOwner?: (id: number) => void
  /** Plate of a new entry, from a link. */
  initialPlate?: string | undefined
}

const FIELDS = ['plateLpr', 'description', 'expiresAt', 'userId']

const valuesOf = (entry: WireWantedPlate | undefined) => ({
  plate: entry?.plateLpr ?? '',
  description: entry?.description ?? '',
  expiresAt: entry?.expiresAt ?? null,
  allowMisread: entry?.allowMisread ?? false,
  userId: entry?.userId ?? null,
})

/** Form that adds or changes a plate. */
export function PlateForm({ typeOfList, owners, self, onOwner, initialPlate = '', ...props }: Props) {
  const { t } = useTranslation('wanted')
  const entryForm = useEntryForm(props, {
    draft: {
      form: `wanted-plates/${props.entry?.id ?? `new-${typeOfList}`}`,
      title: props.entry ? t('ui:change-named', { name: props.entry.plateLpr }) : t('new-plate'),
    },
    valuesOf: (entry) => ({ ...valuesOf(entry), ...(!entry && { plate: initialPlate }) }),
    fetch: ({ id }) => call(plateEndpoint, { params: { id }, background: true }),
    storedText: (latest, field) => {
      if (field === 'userId') return latest.user.username
      if (field === 'expiresAt') return latest.expiresAt === null ? t('no-expiry') : formatDateTime(latest.expiresAt)
      if (field === 'allowMisread') return t(latest.allowMisread ? 'ui:yes' : 'ui:no')
      return valuesOf(latest)[field]
    },
    fields: FIELDS,
    isFilled: ({ plate, description }) => plate.trim() !== '' && description.trim() !== '',
    send: ({ plate, ...rest }, base) => {
      const body = { ...rest, plateLpr: plate, userId: rest.userId ?? self }
      return base
        ? call(changePlate, { params: { id: base.id }, body: { ...body, version: base.version } })
        : call(addPlate, { body: { ...body, typeOfList } })
    },
    keep: ({ allowMisread, userId }) => ({ plate: '', allowMisread, userId }),
  })
  const { values, change, errors, stored, firstField } = entryForm
  const { plate, description, expiresAt, allowMisread } = values
  const owner = values.userId ?? self
  const [canOpenLists, hasContacts] = [useRight('WantedList'), useRight('Contacts')]
  // Entries are changed in a narrow drawer.
  const Fields = props.entry ? FieldColumn : FieldPair
  const seesContacts = canOpenLists || hasContacts

  return (
    <EntryForm form={entryForm} title={t('new-plate')} missing={t('plate-missing')} onCancel={props.onCancel}>
      <Fields>
        <TextInput
          ref={firstField}
          label={t('plate')}
          maxLength={MAX_PLATE_LENGTH}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          value={plate}
          onChange={(event) => change({ plate: event.currentTarget.value })}
          error={errors.plateLpr}
          {...storedBelow(stored.plate)}
        />
        <DescriptionField
          value={description}
          onChange={(description) => change({ description })}
          error={errors.description}
          stored={stored.description}
        />
        <div>
          <DateTimeField
            label={t('ui:optional', { name: t('expires') })}
            dayTime="end"
            value={expiresAt}
            onChange={(instant) => change({ expiresAt: instant })}
            clearLabel={t('no-expiry')}
            error={errors.expiresAt}
          />
          <StoredValue value={stored.expiresAt} />
        </div>
        {owners && (
          <Select
            label={t('owner')}
            data={owners}
            searchable
            allowDeselect={false}
            nothingFoundMessage={t('no-user')}
            comboboxProps={{ transitionProps: { duration: 0 } }}
            value={owner === null ? null : String(owner)}
            onChange={(id) => {
              if (id === null) return
              change({ userId: Number(id) })
              onOwner?.(Number(id))
            }}
            error={errors.userId}
            {...storedBelow(stored.userId)}
          />
        )}
      </Fields>
      <Checkboxes>
        <Checkbox
          label={t('misread')}
          checked={allowMisread}
          onChange={(event) => change({ allowMisread: event.currentTarget.checked })}
          description={stored.allowMisread !== undefined && <StoredValue value={stored.allowMisread} />}
        />
      </Checkboxes>
      {typeOfList === BLACK && <NobodyNotified owner={owner} />}
      {typeOfList === BLACK && props.entry && owner !== null && seesContacts && <Recipients owner={owner} />}
    </EntryForm>
  )
}
