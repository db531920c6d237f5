import { Checkbox } from '@mantine/core'
import { add, change as changeSystem, read, systemRights, type WireSystem } from '@rogatka/contract/systems.ts'
import { canManageSystem } from '@rogatka/domain/systems/grants.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { formatDay } from '../core/format.ts'
import { EntryForm } from '../core/frame/EntryForm.tsx'
import { ChoiceField, HolderFields, LastDayField } from '../core/tokens/TokenFields.tsx'
import { type EntryFormProps, useEntryForm } from '../core/useEntryForm.ts'
import { useRight, useSelf } from '../core/useSelf.ts'
import { useStationNames } from '../locations/publicApi.ts'
import { CheckboxGroup } from '../ui/CheckboxGroup.tsx'
import { Checkboxes, FieldGrid } from '../ui/Fields.tsx'
import { descriptionBelow, StoredValue } from '../ui/StoredValue.tsx'
import type { NewKey } from './useSystems.ts'

const FIELDS = ['name', 'remark', 'locationIds', 'rights', 'plates', 'validUntil']

/** Id of the form's draft; `id` of the system, undefined of a new one. */
export const draftOf = (id?: number): string => `system/${id ?? 'new'}`

type Props = EntryFormProps<WireSystem> & { onKey: (key: NewKey) => void }

/** Adds an external system, whose key follows, or changes one. */
export function SystemForm(props: Props) {
  const { t } = useTranslation('systems')
  const { entry, onKey, onCancel } = props
  const { data: self } = useSelf()
  const isMasked = useRight('Anonymization')
  const { locations, allNames } = useStationNames()
  const rightNames = (rights: WireSystem['rights']) => rights.map((right) => t(`right-${right}`)).join(', ')
  const entryForm = useEntryForm(props, {
    draft: { form: draftOf(entry?.id), title: entry ? t('ui:change-named', { name: entry.name }) : t('new') },
    valuesOf: (system: WireSystem | undefined) => ({
      name: system?.name ?? '',
      remark: system?.remark ?? '',
      locationIds: system?.locationIds ?? [],
      rights: system?.rights ?? [],
      plates: system?.plates ?? false,
      validUntil: system?.validUntil ?? '',
    }),
    fetch: ({ id }) => call(read, { params: { id }, background: true }),
    storedText: (latest, field) => {
      if (field === 'plates') return t(latest.plates ? 'ui:yes' : 'ui:no')
      if (field === 'locationIds') return allNames(latest.locationIds)
      if (field === 'rights') return rightNames(latest.rights)
      return field === 'validUntil' ? formatDay(latest.validUntil) : (latest[field] ?? '')
    },
    fields: FIELDS,
    isFilled: ({ name, locationIds, rights, validUntil }) =>
      name.trim() !== '' && locationIds.length > 0 && rights.length > 0 && validUntil !== '',
    send: async (body, base) => {
      if (base) return call(changeSystem, { params: { id: base.id }, body: { ...body, version: base.version } })
      onKey(await call(add, { body }))
    },
    keep: () => ({}),
  })
  const { values, change, errors, stored } = entryForm
  const own = self?.permissions ?? []
  const grantable = systemRights.filter((right) => canManageSystem(own, { rights: [right], plates: false }))
  const toggle = (right: WireSystem['rights'][number]) => {
    const { rights } = values
    change({ rights: rights.includes(right) ? rights.filter((it) => it !== right) : [...rights, right] })
  }
  return (
    <EntryForm title={null} form={entryForm} onCancel={onCancel} missing={t('fields-missing')}>
      <FieldGrid>
        <HolderFields form={entryForm} labels={{ name: t('name'), remark: t('remark') }} stations={locations} />
        <ChoiceField label={t('rights')} error={errors.rights} stored={stored.rights}>
          <CheckboxGroup
            label={t('rights')}
            options={grantable.map((right) => ({ value: right, label: t(`right-${right}`) }))}
            selected={values.rights}
            onToggle={toggle}
          />
        </ChoiceField>
        <LastDayField form={entryForm} label={t('valid-until')} clearLabel={t('ui:clear-valid-until')} />
        <Checkboxes>
          <Checkbox
            label={t('plates')}
            checked={values.plates}
            disabled={isMasked}
            onChange={(event) => change({ plates: event.currentTarget.checked })}
            error={errors.plates}
            {...descriptionBelow}
            description={stored.plates === undefined ? t('plates-hint') : <StoredValue value={stored.plates} />}
          />
        </Checkboxes>
      </FieldGrid>
    </EntryForm>
  )
}
