import { Checkbox, Select, TextInput } from '@mantine/core'
import {
  addSign,
  changeSign,
  signDrivers,
  signGroups,
  type WireUpkeepGroup,
  type WireUpkeepSign,
} from '@rogatka/contract/vms-upkeep.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { MISSING } from '../core/format.ts'
import { EntryForm } from '../core/frame/EntryForm.tsx'
import { textField } from '../core/textField.ts'
import { hasDraft } from '../core/useDraft.ts'
import { type EntryFormProps, useEntryForm } from '../core/useEntryForm.ts'
import { Checkboxes, FieldGrid } from '../ui/Fields.tsx'
import { parseNumber } from '../ui/numberField.ts'
import { descriptionBelow, StoredValue, storedBelow } from '../ui/StoredValue.tsx'
import { useUpkeepContents } from './useSignUpkeep.ts'
import css from './Vms.module.css'

/** Usual port of SNMP. */
const SNMP_PORT = 161

type VersionedSign = WireUpkeepSign & { version: number }

/** Id of the form's draft: of a sign, or of a new one of a group. */
const draftOf = (groupId: number, id?: number): string => `sign/${id ?? `new-${groupId}`}`

/** The sign of a group whose form has a draft; null without one. */
export const draftedSign = ({ id, signs }: WireUpkeepGroup): WireUpkeepSign | 'new' | null =>
  hasDraft(draftOf(id)) ? 'new' : (signs.find((sign) => hasDraft(draftOf(id, sign.id))) ?? null)

/** Adds a sign to a group, or changes one. The community is only written. */
export function SignForm({ group, ...props }: EntryFormProps<VersionedSign> & { group: WireUpkeepGroup }) {
  const { t } = useTranslation('vms')
  const { entry } = props
  const { data: contents } = useUpkeepContents()
  /** By variant: another user may change their number meanwhile. */
  const byVariant = (ids: readonly (number | null)[]) => group.variants.map((_, index) => ids[index] ?? null)
  const contentName = (id: number | null) => contents?.find((content) => content.id === id)?.description ?? MISSING
  const entryForm = useEntryForm(props, {
    draft: {
      form: draftOf(group.id, entry?.id),
      title: t(entry ? 'signs-title' : 'new-sign'),
      withheld: ['community'],
    },
    valuesOf: (sign: VersionedSign | undefined) => ({
      roadNumber: sign?.roadNumber ?? '',
      chainage: sign?.chainage ?? '',
      driver: sign?.driver ?? 'ntcip1203',
      host: sign?.host ?? '',
      port: String(sign?.port ?? SNMP_PORT),
      community: '',
      showsPlates: sign?.showsPlates ?? false,
      contentIds: sign?.contentIds ?? group.variants.map((): number | null => null),
    }),
    fetch: async (sign) => {
      const latest = (await call(signGroups, { background: true })).find(({ id }) => id === group.id)
      const stored = latest?.signs.find(({ id }) => id === sign.id)
      return stored && latest ? { ...stored, version: latest.version } : sign
    },
    storedText: (latest, field) => {
      if (field === 'community') return ''
      if (field === 'contentIds') return latest.contentIds.map(contentName).join(', ')
      if (field === 'showsPlates') return t(latest.showsPlates ? 'ui:yes' : 'ui:no')
      return field === 'driver' ? t(`driver-${latest.driver}`) : String(latest[field])
    },
    fields: ['roadNumber', 'chainage', 'driver', 'host', 'port', 'community', 'showsPlates', 'contentIds'],
    isFilled: ({ roadNumber, chainage, host }) => [roadNumber, chainage, host].every((text) => text.trim() !== ''),
    send: ({ port, community, ...values }, base) => {
      // What is no number is not sent, so that the server names the field.
      const contentIds = byVariant(values.contentIds)
      const body = { ...values, contentIds, port: parseNumber(port) as number, ...(community && { community }) }
      return base
        ? call(changeSign, { params: { id: base.id }, body: { ...body, version: base.version } })
        : call(addSign, { params: { id: group.id }, body })
    },
    keep: () => ({}),
  })
  const { firstField, errors, stored, values, change } = entryForm
  return (
    <EntryForm title={null} form={entryForm} onCancel={props.onCancel} missing={t('sign-missing')}>
      <FieldGrid>
        <TextInput
          ref={firstField}
          label={t('road')}
          maxLength={30}
          {...textField(entryForm, 'roadNumber')}
          data-autofocus
        />
        <TextInput label={t('chainage')} maxLength={30} {...textField(entryForm, 'chainage')} />
        <Select
          label={t('driver')}
          data={signDrivers.map((driver) => ({ value: driver, label: t(`driver-${driver}`) }))}
          allowDeselect={false}
          comboboxProps={{ transitionProps: { duration: 0 } }}
          value={values.driver}
          onChange={(selected) =>
            change({ driver: signDrivers.find((driver) => driver === selected) ?? values.driver })
          }
          error={errors.driver}
          {...storedBelow(stored.driver)}
        />
        <TextInput label={t('host')} maxLength={253} {...textField(entryForm, 'host')} />
        <TextInput label={t('port')} inputMode="numeric" maxLength={5} {...textField(entryForm, 'port')} />
        <TextInput
          label={t('ui:optional', { name: t('community') })}
          type="password"
          maxLength={100}
          {...textField(entryForm, 'community')}
          autoComplete="new-password"
          {...descriptionBelow}
          description={t(entry ? 'community-stays' : 'community-default')}
        />
        <Checkboxes>
          <Checkbox
            label={t('shows-plates')}
            checked={values.showsPlates}
            onChange={(event) => change({ showsPlates: event.currentTarget.checked })}
            error={errors.showsPlates}
            {...descriptionBelow}
            description={<StoredValue value={stored.showsPlates} />}
          />
        </Checkboxes>
      </FieldGrid>
      <h3 className={css.upkeepHeading}>{t('contents')}</h3>
      <FieldGrid>
        {group.variants.map((name, index) => (
          <Select
            key={name}
            label={name}
            placeholder={MISSING}
            data={contents?.map(({ id, description }) => ({ value: String(id), label: description })) ?? []}
            clearable
            comboboxProps={{ transitionProps: { duration: 0 } }}
            value={values.contentIds[index] ? String(values.contentIds[index]) : null}
            onChange={(id) =>
              change({ contentIds: byVariant(values.contentIds).with(index, id === null ? null : Number(id)) })
            }
            error={index === 0 && errors.contentIds}
          />
        ))}
      </FieldGrid>
      <StoredValue value={stored.contentIds} />
    </EntryForm>
  )
}
