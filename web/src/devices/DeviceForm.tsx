import { Checkbox } from '@mantine/core'
import { add, change as changeDevice, deviceColumns, read, type WireDevice } from '@rogatka/contract/devices.ts'
import { canManageDevice } from '@rogatka/domain/devices/grants.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { formatDay } from '../core/format.ts'
import { EntryForm } from '../core/frame/EntryForm.tsx'
import { ChoiceField, HolderFields, LastDayField } from '../core/tokens/TokenFields.tsx'
import { type EntryFormProps, useEntryForm } from '../core/useEntryForm.ts'
import { useRight, useSelf } from '../core/useSelf.ts'
import { useStationNames } from '../locations/publicApi.ts'
import { Checkboxes, FieldGrid } from '../ui/Fields.tsx'
import { SegmentedControl } from '../ui/SegmentedControl.tsx'
import { descriptionBelow, StoredValue } from '../ui/StoredValue.tsx'
import type { NewLink } from './useDevices.ts'

const FIELDS = ['name', 'remark', 'locationIds', 'columns', 'anonymised', 'wanted', 'validUntil']

/** Id of the form's draft; `id` of the screen, undefined of a new one. */
export const draftOf = (id?: number): string => `device/${id ?? 'new'}`

type Props = EntryFormProps<WireDevice> & { onLink: (link: NewLink) => void }

/** Adds a wall screen, whose link follows, or changes one. */
export function DeviceForm(props: Props) {
  const { t } = useTranslation('devices')
  const { data: self } = useSelf()
  const isMasked = useRight('Anonymization')
  const { locations, allNames } = useStationNames()
  const entryForm = useEntryForm(props, {
    draft: {
      form: draftOf(props.entry?.id),
      title: props.entry ? t('ui:change-named', { name: props.entry.name }) : t('new'),
    },
    valuesOf: (device: WireDevice | undefined) => ({
      name: device?.name ?? '',
      remark: device?.remark ?? '',
      locationIds: device?.locationIds ?? [],
      columns: device?.columns ?? deviceColumns[0],
      anonymised: device?.anonymised ?? isMasked,
      wanted: device?.wanted ?? false,
      validUntil: device?.validUntil ?? '',
    }),
    fetch: (device) => call(read, { params: { id: device.id }, background: true }),
    storedText: (latest, field) => {
      const value = latest[field]
      if (typeof value === 'boolean') return t(value ? 'ui:yes' : 'ui:no')
      if (field === 'locationIds') return allNames(latest.locationIds)
      return field === 'validUntil' && latest.validUntil ? formatDay(latest.validUntil) : String(value ?? '')
    },
    fields: FIELDS,
    isFilled: ({ name, locationIds }) => name.trim() !== '' && locationIds.length > 0,
    send: async (values, base) => {
      const body = { ...values, validUntil: values.validUntil || null }
      if (base) return call(changeDevice, { params: { id: base.id }, body: { ...body, version: base.version } })
      props.onLink(await call(add, { body }))
    },
    keep: () => ({}),
  })
  const { values, change, errors, stored } = entryForm
  const canShowHits = canManageDevice(self?.permissions ?? [], { anonymised: false, wanted: true })
  return (
    <EntryForm title={null} form={entryForm} onCancel={props.onCancel} missing={t('fields-missing')}>
      <FieldGrid>
        <HolderFields form={entryForm} labels={{ name: t('name'), remark: t('remark') }} stations={locations} />
        <ChoiceField label={t('columns')} stored={stored.columns}>
          <SegmentedControl
            label={t('columns')}
            options={deviceColumns.map((columns) => ({ value: String(columns), label: String(columns) }))}
            value={String(values.columns)}
            onChange={(selected) =>
              change({ columns: deviceColumns.find((columns) => String(columns) === selected) ?? values.columns })
            }
          />
        </ChoiceField>
        <LastDayField
          form={entryForm}
          label={t('ui:optional', { name: t('valid-until') })}
          clearLabel={t('ui:clear-valid-until')}
        />
        <Checkboxes>
          <Checkbox
            label={t('anonymised')}
            checked={values.anonymised}
            disabled={isMasked}
            onChange={({ currentTarget: { checked } }) =>
              change({ anonymised: checked, wanted: values.wanted && !checked })
            }
            error={errors.anonymised}
            {...descriptionBelow}
            description={<StoredValue value={stored.anonymised} />}
          />
          <Checkbox
            label={t('wanted')}
            checked={values.wanted}
            disabled={values.anonymised || !canShowHits}
            onChange={(event) => change({ wanted: event.currentTarget.checked })}
            error={errors.wanted}
            {...descriptionBelow}
            description={stored.wanted === undefined ? t('wanted-hint') : <StoredValue value={stored.wanted} />}
          />
        </Checkboxes>
      </FieldGrid>
    </EntryForm>
  )
}
