import { Button, Select, TextInput } from '@mantine/core'
import { addContact, EMAIL, MAX_CONTACT, MAX_DESCRIPTION, PHONE, type TypeOfContact } from '@rogatka/contract/wanted.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { Panel, Section } from '../ui/Panel.tsx'
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

/** Adds somebody who is told. */
export function ContactForm({ onAdded }: { onAdded: () => void }) {
  const { t } = useTranslation('wanted')
  const { values, change, faults, filled, saving, banner, first, onSubmit } = useEntryForm({
    empty: EMPTY,
    fields: FIELDS,
    isFilled: ({ contact, description, ...quiet }) =>
      contact.trim() !== '' && description.trim() !== '' && !isHalfQuiet(quiet),
    send: ({ from, to, type, ...entry }) => {
      const quietHours = from !== null && to !== null ? { from, to } : null
      return call(addContact, { body: { ...entry, typeOfContact: type, quietHours } })
    },
    keep: ({ type, from, to }) => ({ type, from, to }),
    onAdded,
  })
  const { type, contact, description } = values
  const clock = (name: 'from' | 'to') => (
    <Select
      label={t(`quiet-${name}`)}
      data={CLOCK}
      placeholder={t('no-quiet-hours')}
      clearable
      clearButtonProps={{ 'aria-label': t('clear-quiet') }}
      comboboxProps={{ transitionProps: { duration: 0 } }}
      value={values[name]}
      onChange={(time) => change({ [name]: time })}
    />
  )

  return (
    <Panel>
      <Section title={t('new-contact')}>
        <form className={css.form} noValidate onSubmit={onSubmit}>
          {banner.shown && <ErrorBanner error={banner.shown.error} title={t('add-failed')} dismiss={banner.clear} />}
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
          <TextInput
            label={t('description')}
            maxLength={MAX_DESCRIPTION}
            autoComplete="off"
            rightSection={<span className={css.counter}>{MAX_DESCRIPTION - description.length}</span>}
            rightSectionWidth={44}
            rightSectionPointerEvents="none"
            value={description}
            onChange={(event) => change({ description: event.currentTarget.value })}
            error={faults.description}
          />
          <div className={css.pair}>
            {clock('from')}
            {clock('to')}
          </div>
          <p className={css.reason}>{t('quiet-hint')}</p>
          <div className={css.buttons}>
            <Button type="submit" disabled={!filled} loading={saving}>
              {t('add')}
            </Button>
            {!filled && (
              <span className={css.reason}>{t(isHalfQuiet(values) ? 'quiet-missing' : 'contact-missing')}</span>
            )}
          </div>
        </form>
      </Section>
    </Panel>
  )
}
