import { Checkbox, Input, TextInput } from '@mantine/core'
import { type Category, categories } from '@rogatka/contract/vehicle.ts'
import {
  addWebhook,
  changeWebhook,
  readWebhook,
  type WebhookEventType,
  type WireWebhook,
  webhookEvents,
} from '@rogatka/contract/webhooks.ts'
import { toggle } from '@rogatka/domain/vehicle/toggle.ts'
import { canReadEvent } from '@rogatka/domain/webhooks/grants.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { EntryForm } from '../core/frame/EntryForm.tsx'
import { textField } from '../core/textField.ts'
import { ChoiceField } from '../core/tokens/TokenFields.tsx'
import { type EntryFormProps, useEntryForm } from '../core/useEntryForm.ts'
import { useRight, useSelf } from '../core/useSelf.ts'
import { useStationNames } from '../locations/publicApi.ts'
import { CheckboxGroup } from '../ui/CheckboxGroup.tsx'
import { Checkboxes, FieldGrid } from '../ui/Fields.tsx'
import { formatField, parseNumber } from '../ui/numberField.ts'
import { StationsField } from '../ui/StationsField.tsx'
import { descriptionBelow, StoredValue } from '../ui/StoredValue.tsx'
import { CategoryChoice } from '../ui/vehicle/CategoryChoice.tsx'
import { useFilterTexts } from '../vehicle/publicApi.ts'
import { useEventName } from './useEventName.ts'
import type { NewSecret } from './useWebhooks.ts'

const FIELDS = ['name', 'url', 'events', 'locationIds', 'ctg8p1', 'minExcess', 'plates']

/** Id of the form's draft; `id` of the subscription, undefined of a new one. */
export const draftOf = (id?: number): string => `webhook/${id ?? 'new'}`

/** Numbers of a class [8+1] in a filter; 0: none. */
const numbersOf = (category: Category) => (category === 'lack' ? [0, 6] : [Number(category)])

const isSelected = (ctg8p1: readonly number[], category: Category) =>
  numbersOf(category).every((number) => ctg8p1.includes(number))

function toggleClass(ctg8p1: readonly number[], category: Category): number[] {
  const others = ctg8p1.filter((number) => !numbersOf(category).includes(number))
  return isSelected(ctg8p1, category) ? others : [...others, ...numbersOf(category)]
}

type Props = EntryFormProps<WireWebhook> & { onSecret: (newSecret: NewSecret) => void }

/** Adds a subscription, whose secret follows, or changes one. */
export function WebhookForm(props: Props) {
  const { t, i18n } = useTranslation('webhooks')
  const { entry, onSecret, onCancel } = props
  const { data: self } = useSelf()
  const isMasked = useRight('Anonymization')
  const { locations, allNames } = useStationNames()
  const eventName = useEventName()
  const { categoryName } = useFilterTexts()
  const textOfExcess = (webhook: WireWebhook | undefined) => formatField(webhook?.minExcess, 1, i18n.language)
  const entryForm = useEntryForm(props, {
    draft: { form: draftOf(entry?.id), title: entry ? t('ui:change-named', { name: entry.name }) : t('new') },
    valuesOf: (webhook: WireWebhook | undefined) => ({
      name: webhook?.name ?? '',
      url: webhook?.url ?? '',
      events: webhook?.events ?? [],
      locationIds: webhook?.locationIds ?? [],
      ctg8p1: webhook?.ctg8p1 ?? [],
      minExcess: textOfExcess(webhook),
      plates: webhook?.plates ?? false,
    }),
    fetch: ({ id }) => call(readWebhook, { params: { id }, background: true }),
    storedText: (latest, field) => {
      if (field === 'plates') return t(latest.plates ? 'ui:yes' : 'ui:no')
      if (field === 'locationIds') return latest.locationIds ? allNames(latest.locationIds) : t('ui:all-stations')
      if (field === 'ctg8p1') return latest.ctg8p1?.join(', ') ?? t('all-classes')
      if (field === 'events') return latest.events.map(eventName).join(', ')
      return field === 'minExcess' ? textOfExcess(latest) : latest[field]
    },
    fields: FIELDS,
    isFilled: ({ name, url, events, minExcess }) =>
      name.trim() !== '' && url.trim() !== '' && events.length > 0 && parseNumber(minExcess) !== undefined,
    send: async ({ minExcess, locationIds, ctg8p1, ...values }, base) => {
      const filters = {
        locationIds: locationIds.length > 0 ? locationIds : null,
        ctg8p1: ctg8p1.length > 0 ? ctg8p1 : null,
        minExcess: parseNumber(minExcess) ?? null,
      }
      const body = { ...values, ...filters }
      if (base) return call(changeWebhook, { params: { id: base.id }, body: { ...body, version: base.version } })
      onSecret(await call(addWebhook, { body }))
    },
    keep: () => ({}),
  })
  const { values, change, errors, stored, firstField } = entryForm
  const readable = webhookEvents.filter((event) => canReadEvent(self?.permissions ?? [], event))
  const toggleEvent = (event: WebhookEventType) => change({ events: toggle(values.events, event) })
  return (
    <EntryForm title={null} form={entryForm} onCancel={onCancel} missing={t('fields-missing')}>
      <FieldGrid>
        <TextInput ref={firstField} label={t('name')} maxLength={60} {...textField(entryForm, 'name')} data-autofocus />
        <TextInput
          {...textField(entryForm, 'url')}
          label={t('address')}
          type="url"
          maxLength={500}
          spellCheck={false}
          description={stored.url === undefined ? t('address-hint') : <StoredValue value={stored.url} />}
        />
        <ChoiceField label={t('events')} error={errors.events} stored={stored.events}>
          <CheckboxGroup
            label={t('events')}
            options={readable.map((event) => ({ value: event, label: eventName(event) }))}
            selected={values.events}
            onToggle={toggleEvent}
          />
        </ChoiceField>
        {values.events.includes('vehicle.overloaded') && (
          <ChoiceField label={t('classes')} error={errors.ctg8p1} stored={stored.ctg8p1}>
            <CategoryChoice
              label={t('classes')}
              selected={categories.filter((category) => isSelected(values.ctg8p1, category))}
              onToggle={(category) => change({ ctg8p1: toggleClass(values.ctg8p1, category) })}
              nameOf={categoryName}
            />
            <Input.Description>{t('classes-hint')}</Input.Description>
          </ChoiceField>
        )}
        <TextInput
          label={t('ui:optional', { name: t('min-excess') })}
          inputMode="decimal"
          maxLength={6}
          disabled={!values.events.includes('vehicle.overloaded')}
          {...textField(entryForm, 'minExcess')}
        />
        <StationsField
          stations={locations}
          value={values.locationIds}
          onChange={(locationIds) => change({ locationIds })}
          error={errors.locationIds}
          stored={stored.locationIds}
          hint={t('stations-hint')}
        />
        <Checkboxes>
          <Checkbox
            {...descriptionBelow}
            label={t('plates')}
            description={<StoredValue value={stored.plates} />}
            error={errors.plates}
            disabled={isMasked}
            checked={values.plates}
            onChange={({ currentTarget }) => change({ plates: currentTarget.checked })}
          />
        </Checkboxes>
      </FieldGrid>
    </EntryForm>
  )
}
