import { Select, TextInput } from '@mantine/core'
import {
  addContact,
  changeContact,
  EMAIL,
  MAX_CONTACT,
  PHONE,
  type TypeOfContact,
  type WireWantedContact,
} from '@rogatka/contract/wanted.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { DescriptionField, EntryForm } from './EntryForm.tsx'
import { useEntryForm } from './useEntryForm.ts'
import css from './Wanted.module.css'

const FIELDS = ['contact', 'description']
const EMPTY = {
  type: EMAIL as TypeOfContact,
  contact: '',
  description: '',
  from: null as string | null,
  to: null as string | null,
}
const isHalfQuiet = ({ from, to }: Pick<typeof EMPTY, 'from' | 'to'>) => (from === null) !== (to === null)

/** Each half hour of a day. */
const CLOCK = Array.from({ length: 48 }, (_, half) => {
  const hour = String(half >> 1).padStart(2, '0')
  return `${hour}:${half % 2 ? '30' : '00'}`
})

/** A time that was set elsewhere need not be a half hour. */
const timesWith = (time: string | null) => (time === null || CLOCK.includes(time) ? CLOCK : [...CLOCK, time].sort())

type Props = {
  /** The contact that is changed; absent: a new one is added. */
  entry?: WireWantedContact
  onSaved: () => void
  onCancel?: () => void
}

const valuesOf = ({ typeOfContact, contact, description, quietHours }: WireWantedContact): typeof EMPTY => ({
  type: typeOfContact,
  contact,
  description,
  from: quietHours?.from ?? null,
  to: quietHours?.to ?? null,
})

/** Adds somebody who is notified, or changes them. */
export function ContactForm({ entry, onSaved, onCancel }: Props) {
  const { t } = useTranslation('wanted')
  const entryForm = useEntryForm({
    empty: entry ? valuesOf(entry) : EMPTY,
    fields: FIELDS,
    isFilled: ({ contact, description, ...quiet }) =>
      contact.trim() !== '' && description.trim() !== '' && !isHalfQuiet(quiet),
    send: ({ from, to, type, ...rest }) => {
      const quietHours = from !== null && to !== null ? { from, to } : null
      const body = { ...rest, typeOfContact: type, quietHours }
      return entry
        ? call(changeContact, { params: { id: entry.id }, body: { ...body, version: entry.version } })
        : call(addContact, { body })
    },
    keep: (sent) => (entry ? sent : { type: sent.type, from: sent.from, to: sent.to }),
    onAdded: onSaved,
  })
  const { values, change, faults, first } = entryForm
  const { type, contact, description } = values
  const clock = (name: 'from' | 'to') => (
    <Select
      label={t('ui:optional', { what: t(`quiet-${name}`) })}
      data={timesWith(values[name])}
      placeholder={t('no-quiet-hours')}
      clearable
      clearButtonProps={{ 'aria-label': t('clear-quiet') }}
      comboboxProps={{ transitionProps: { duration: 0 } }}
      value={values[name]}
      onChange={(time) => change({ [name]: time })}
    />
  )

  return (
    <EntryForm
      form={entryForm}
      title={entry ? null : t('new-contact')}
      missing={t(isHalfQuiet(values) ? 'quiet-missing' : 'contact-missing')}
      onCancel={onCancel}
    >
      <div className={css.pair}>
        <Select
          label={t('type')}
          data={[EMAIL, PHONE].map((one) => ({ value: String(one), label: t(`type-${one}`) }))}
          allowDeselect={false}
          comboboxProps={{ transitionProps: { duration: 0 } }}
          value={String(type)}
          onChange={(value) => change({ type: value === String(PHONE) ? PHONE : EMAIL })}
        />
        <TextInput
          ref={first}
          label={t(`contact-${type}`)}
          type={type === EMAIL ? 'email' : 'tel'}
          maxLength={MAX_CONTACT}
          autoComplete="off"
          value={contact}
          onChange={(event) => change({ contact: event.currentTarget.value })}
          error={faults.contact}
        />
      </div>
      <DescriptionField
        value={description}
        onChange={(description) => change({ description })}
        error={faults.description}
      />
      <div className={css.pair}>
        {clock('from')}
        {clock('to')}
      </div>
      <p className={css.reason}>{t('quiet-hint')}</p>
    </EntryForm>
  )
}
