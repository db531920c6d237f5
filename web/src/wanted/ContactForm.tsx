import { Select, TextInput } from '@mantine/core'
import {
  addContact,
  changeContact,
  contact as contactEndpoint,
  EMAIL,
  MAX_CONTACT,
  PHONE,
  type TypeOfContact,
  type WireWantedContact,
} from '@rogatka/contract/wanted.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { EntryForm } from '../core/frame/EntryForm.tsx'
import { type EntryFormProps, useEntryForm } from '../core/useEntryForm.ts'
import entryCss from '../ui/Entry.module.css'
import { FieldPair } from '../ui/Fields.tsx'
import { storedBelow } from '../ui/StoredValue.tsx'
import { DescriptionField } from './DescriptionField.tsx'

const FIELDS = ['contact', 'description']

const valuesOf = (entry: WireWantedContact | undefined) => ({
  type: entry?.typeOfContact ?? (EMAIL as TypeOfContact),
  contact: entry?.contact ?? '',
  description: entry?.description ?? '',
  from: entry?.quietHours?.from ?? null,
  to: entry?.quietHours?.to ?? null,
})
type Values = ReturnType<typeof valuesOf>
const isQuietIncomplete = ({ from, to }: Pick<Values, 'from' | 'to'>) => (from === null) !== (to === null)

/** Every half hour of a day, HH:MM. */
const HALF_HOURS = Array.from({ length: 48 }, (_, index) => {
  const hour = String(index >> 1).padStart(2, '0')
  return `${hour}:${index % 2 ? '30' : '00'}`
})

/** Adds the stored time, which may be no half hour if set through the API. */
const timeOptions = (time: string | null) =>
  time === null || HALF_HOURS.includes(time) ? HALF_HOURS : [...HALF_HOURS, time].sort()

/** Form that adds or changes a contact. */
export function ContactForm(props: EntryFormProps<WireWantedContact>) {
  const { t } = useTranslation('wanted')
  const entryForm = useEntryForm(props, {
    draft: {
      form: `wanted-contacts/${props.entry?.id ?? 'new'}`,
      title: props.entry ? t('ui:change-named', { name: props.entry.contact }) : t('new-contact'),
    },
    valuesOf,
    fetch: ({ id }) => call(contactEndpoint, { params: { id }, background: true }),
    storedText: (latest, field) => {
      if (field === 'type') return t(`type-${latest.typeOfContact}`)
      return valuesOf(latest)[field] ?? t('no-quiet-hours')
    },
    fields: FIELDS,
    isFilled: ({ contact, description, ...quiet }) =>
      contact.trim() !== '' && description.trim() !== '' && !isQuietIncomplete(quiet),
    send: ({ from, to, type, ...rest }, base) => {
      const quietHours = from !== null && to !== null ? { from, to } : null
      const body = { ...rest, typeOfContact: type, quietHours }
      return base
        ? call(changeContact, { params: { id: base.id }, body: { ...body, version: base.version } })
        : call(addContact, { body })
    },
    keep: ({ type, from, to }) => ({ type, from, to }),
  })
  const { values, change, errors, stored, firstField } = entryForm
  const { type, contact, description } = values
  const clock = (name: 'from' | 'to') => (
    <Select
      label={t('ui:optional', { name: t(`quiet-${name}`) })}
      data={timeOptions(values[name])}
      placeholder={t('no-quiet-hours')}
      clearable
      clearButtonProps={{ 'aria-label': t('clear-quiet') }}
      comboboxProps={{ transitionProps: { duration: 0 } }}
      value={values[name]}
      onChange={(time) => change({ [name]: time })}
      {...storedBelow(stored[name])}
    />
  )

  return (
    <EntryForm
      form={entryForm}
      title={t('new-contact')}
      missing={t(isQuietIncomplete(values) ? 'quiet-missing' : 'contact-missing')}
      onCancel={props.onCancel}
    >
      <FieldPair>
        <Select
          label={t('type')}
          data={[EMAIL, PHONE].map((option) => ({ value: String(option), label: t(`type-${option}`) }))}
          allowDeselect={false}
          comboboxProps={{ transitionProps: { duration: 0 } }}
          value={String(type)}
          onChange={(value) => change({ type: value === String(PHONE) ? PHONE : EMAIL })}
          {...storedBelow(stored.type)}
        />
        <TextInput
          ref={firstField}
          label={t(`contact-${type}`)}
          type={type === EMAIL ? 'email' : 'tel'}
          maxLength={MAX_CONTACT}
          autoComplete="off"
          value={contact}
          onChange={(event) => change({ contact: event.currentTarget.value })}
          error={errors.contact}
          {...storedBelow(stored.contact)}
        />
      </FieldPair>
      <DescriptionField
        value={description}
        onChange={(description) => change({ description })}
        error={errors.description}
        stored={stored.description}
      />
      <FieldPair>
        {clock('from')}
        {clock('to')}
      </FieldPair>
      <p className={entryCss.reason}>{t('quiet-hint')}</p>
    </EntryForm>
  )
}
