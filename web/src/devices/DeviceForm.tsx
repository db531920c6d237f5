import { Button, Checkbox, MultiSelect, TextInput } from '@mantine/core'
import { add, change as changeDevice, deviceColumns, read, type WireDevice } from '@rogatka/contract/devices.ts'
import { canManageDevice } from '@rogatka/domain/devices/grants.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { formatDay } from '../core/format.ts'
import { EntryForm } from '../core/frame/EntryForm.tsx'
import { textField } from '../core/textField.ts'
import { type EntryFormProps, useEntryForm } from '../core/useEntryForm.ts'
import { useRight, useSelf } from '../core/useSelf.ts'
import { useLocations } from '../locations/publicApi.ts'
import { DayField } from '../ui/DayField.tsx'
import { Checkboxes, FieldGrid } from '../ui/Fields.tsx'
import { SegmentedControl } from '../ui/SegmentedControl.tsx'
import { descriptionBelow, StoredValue, storedBelow } from '../ui/StoredValue.tsx'
import css from './Devices.module.css'
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
  const { data: locations } = useLocations()
  const namesOf = (ids: readonly number[]) =>
    ids.map((id) => locations?.find((location) => location.id === id)?.shortName ?? String(id)).join(', ')
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
      if (field === 'locationIds') return namesOf(latest.locationIds)
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
  const { values, change, errors, stored, firstField } = entryForm
  const canShowHits = canManageDevice(self?.permissions ?? [], { anonymised: false, wanted: true })
  const text = (field: 'name' | 'remark', label: string, maxLength: number) => ({
    label,
    maxLength,
    ...textField(entryForm, field),
  })
  return (
    <EntryForm title={null} form={entryForm} onCancel={props.onCancel} missing={t('fields-missing')}>
      <FieldGrid>
        <TextInput ref={firstField} {...text('name', t('name'), 60)} data-autofocus />
        <TextInput {...text('remark', t('ui:optional', { name: t('remark') }), 200)} />
        <div className={css.stations}>
          <MultiSelect
            label={t('ui:stations')}
            data={locations?.map(({ id, shortName }) => ({ value: String(id), label: shortName })) ?? []}
            searchable
            comboboxProps={{ transitionProps: { duration: 0 } }}
            value={values.locationIds.map(String)}
            onChange={(ids) => change({ locationIds: ids.map(Number) })}
            error={errors.locationIds}
            {...storedBelow(stored.locationIds)}
          />
          <Button
            variant="default"
            size="xs"
            disabled={!locations || values.locationIds.length === locations.length}
            onClick={() => change({ locationIds: locations?.map(({ id }) => id) ?? [] })}
          >
            {t('select-all')}
          </Button>
        </div>
        <div>
          <p className={css.label} aria-hidden>
            {t('columns')}
          </p>
          <SegmentedControl
            label={t('columns')}
            options={deviceColumns.map((columns) => ({ value: String(columns), label: String(columns) }))}
            value={String(values.columns)}
            onChange={(selected) =>
              change({ columns: deviceColumns.find((columns) => String(columns) === selected) ?? values.columns })
            }
          />
          <StoredValue value={stored.columns} />
        </div>
        <div>
          <DayField
            label={t('ui:optional', { name: t('valid-until') })}
            value={values.validUntil || null}
            onChange={(day) => change({ validUntil: day ?? '' })}
            clearLabel={t('clear-valid-until')}
            error={errors.validUntil}
          />
          <StoredValue value={stored.validUntil} />
        </div>
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
