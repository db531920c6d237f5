import { Select, Textarea, TextInput } from '@mantine/core'
import { addSignGroup, changeSignGroup, signGroups, type WireUpkeepGroup } from '@rogatka/contract/vms-upkeep.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { EntryForm } from '../core/frame/EntryForm.tsx'
import { textField } from '../core/textField.ts'
import { type EntryFormProps, useEntryForm } from '../core/useEntryForm.ts'
import { useLocations } from '../locations/publicApi.ts'
import { FieldGrid } from '../ui/Fields.tsx'
import { descriptionBelow, StoredValue } from '../ui/StoredValue.tsx'
import { joinLines, splitLines } from './lines.ts'

/** Id of the form's draft; undefined of a new group. */
export const groupDraft = (id?: number): string => `sign-group/${id ?? 'new'}`

/** Adds a group of signs, or renames one with its variants. */
export function GroupForm(props: EntryFormProps<WireUpkeepGroup>) {
  const { t } = useTranslation('vms')
  const { entry } = props
  const { data: stations } = useLocations()
  const entryForm = useEntryForm(props, {
    draft: {
      form: groupDraft(entry?.id),
      title: entry ? t('ui:change-named', { name: entry.description }) : t('new-group'),
    },
    valuesOf: (group: WireUpkeepGroup | undefined) => ({
      station: group ? String(group.locationId) : '',
      description: group?.description ?? '',
      variants: joinLines(group?.variants),
    }),
    fetch: async (group) => (await call(signGroups, { background: true })).find(({ id }) => id === group.id) ?? group,
    storedText: (latest, field) =>
      field === 'variants' ? latest.variants.join(', ') : field === 'description' ? latest.description : '',
    fields: ['locationId', 'description', 'variants'],
    isFilled: ({ station, description, variants }) =>
      station !== '' && description.trim() !== '' && variants.trim() !== '',
    send: ({ station, description, variants }, base) => {
      const body = { description, variants: splitLines(variants) }
      return base
        ? call(changeSignGroup, { params: { id: base.id }, body: { ...body, version: base.version } })
        : call(addSignGroup, { body: { ...body, locationId: Number(station) } })
    },
    keep: () => ({}),
  })
  const { errors, values, stored, change, firstField } = entryForm
  return (
    <EntryForm missing={t('group-missing')} onCancel={props.onCancel} title={null} form={entryForm}>
      <FieldGrid>
        {!entry && (
          <Select
            label={t('ui:station')}
            data={stations?.map(({ id, shortName }) => ({ value: String(id), label: shortName })) ?? []}
            searchable
            comboboxProps={{ transitionProps: { duration: 0 } }}
            value={values.station || null}
            onChange={(station) => change({ station: station ?? '' })}
            error={errors.locationId}
          />
        )}
        <TextInput
          ref={firstField}
          label={t('ui:description')}
          maxLength={100}
          {...textField(entryForm, 'description')}
          data-autofocus={entry !== undefined}
        />
      </FieldGrid>
      <Textarea
        label={t('variants')}
        autosize
        minRows={2}
        {...textField(entryForm, 'variants')}
        {...descriptionBelow}
        description={
          <>
            <StoredValue value={stored.variants} /> {t('variants-hint')}
          </>
        }
      />
    </EntryForm>
  )
}
