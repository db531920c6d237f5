import { Checkbox, Select, TextInput } from '@mantine/core'
import { addStation, changeStation, stations, type WireUpkeepStation } from '@rogatka/contract/locations-upkeep.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { EntryForm } from '../core/frame/EntryForm.tsx'
import { useLanguage } from '../core/language.ts'
import { textField } from '../core/textField.ts'
import { type EntryFormProps, useEntryForm } from '../core/useEntryForm.ts'
import { Checkboxes, FieldGrid } from '../ui/Fields.tsx'
import { formatField, parseNumber } from '../ui/numberField.ts'
import { descriptionBelow, StoredValue, storedBelow } from '../ui/StoredValue.tsx'
import { LanesField, laneTexts } from './LanesField.tsx'
import css from './Stations.module.css'

const TEXTS = ['shortName', 'name', 'roadNumber', 'chainage', 'direction'] as const
const NUMBERS = [
  'speedLimit',
  'speedLimitHeavy',
  'distanceToSign',
  'distanceToCheckpoint',
  'silentAfterMinutes',
] as const
const DEGREES = ['latitude', 'longitude'] as const
const MAX_LENGTHS = { shortName: 60, name: 200, roadNumber: 30, chainage: 30, direction: 100 }
const FIELDS = ['id', ...TEXTS, ...NUMBERS, ...DEGREES, 'chainageAscends', 'overheightAlarm', 'lanes']

/** Digits of degrees: a tenth of a metre. */
const DEGREE_DECIMALS = 6

/** A number that may be negative; undefined if it is none, which the server names. */
function parseSigned(text: string): number | null | undefined {
  const value = parseNumber(text.replace(/^\s*[-\u2212]/, ''))
  return value && /^\s*[-\u2212]/.test(text) ? -value : value
}

const yesNoOrNull = { yes: true, no: false, '': null }
const keyOf = (value: boolean | null | undefined) => (value === null || value === undefined ? '' : value ? 'yes' : 'no')

/** Id of the form's draft; `id` of the station, undefined of a new one. */
export const draftOf = (id?: number): string => `station/${id ?? 'new'}`

/** Adds a station, or changes one with its lanes. */
export function StationForm(props: EntryFormProps<WireUpkeepStation>) {
  const { t } = useTranslation('locations')
  const language = useLanguage()
  const { entry } = props
  const valuesOf = (station: WireUpkeepStation | undefined) => ({
    id: station ? String(station.id) : '',
    shortName: station?.shortName ?? '',
    name: station?.name ?? '',
    roadNumber: station?.roadNumber ?? '',
    chainage: station?.chainage ?? '',
    direction: station?.direction ?? '',
    speedLimit: formatField(station?.speedLimit, 0, language),
    speedLimitHeavy: formatField(station?.speedLimitHeavy, 0, language),
    distanceToSign: formatField(station?.distanceToSign, 0, language),
    distanceToCheckpoint: formatField(station?.distanceToCheckpoint, 0, language),
    silentAfterMinutes: formatField(station?.silentAfterMinutes, 0, language),
    latitude: formatField(station?.latitude, DEGREE_DECIMALS, language),
    longitude: formatField(station?.longitude, DEGREE_DECIMALS, language),
    chainageAscends: keyOf(station?.chainageAscends),
    overheightAlarm: station?.overheightAlarm ?? false,
    lanes: station?.lanes ?? ['B+(7)' as const],
  })
  type Values = ReturnType<typeof valuesOf>
  const bodyOf = ({ id: _, ...values }: Values) => {
    // What is no number is not sent, so that the server names the field.
    const numbers = Object.fromEntries([
      ...NUMBERS.map((field) => [field, parseNumber(values[field])]),
      ...DEGREES.map((field) => [field, parseSigned(values[field])]),
    ]) as Record<(typeof NUMBERS | typeof DEGREES)[number], number | null>
    return { ...values, ...numbers, chainageAscends: yesNoOrNull[values.chainageAscends as keyof typeof yesNoOrNull] }
  }
  const entryForm = useEntryForm(props, {
    draft: {
      form: draftOf(entry?.id),
      title: entry ? t('ui:change-named', { name: entry.shortName }) : t('new'),
    },
    valuesOf,
    fetch: async (station) =>
      (await call(stations, { background: true })).find(({ id }) => id === station.id) ?? station,
    storedText: (latest, field) => {
      if (field === 'lanes') return laneTexts(latest.lanes).join(', ')
      if (field === 'overheightAlarm') return t(latest.overheightAlarm ? 'ui:yes' : 'ui:no')
      const value = String(valuesOf(latest)[field])
      return field === 'chainageAscends' ? t(`grows-${value || 'unknown'}`) : value
    },
    fields: FIELDS,
    isFilled: (values) => [...TEXTS, 'id' as const].every((field) => values[field].trim() !== ''),
    send: (values, base) =>
      base
        ? call(changeStation, { params: { id: base.id }, body: { ...bodyOf(values), version: base.version } })
        : call(addStation, { body: { ...bodyOf(values), id: parseNumber(values.id) as number } }),
    keep: () => ({}),
  })
  const { values, change, errors, stored, firstField } = entryForm
  const text = (field: (typeof TEXTS | typeof NUMBERS | typeof DEGREES)[number]) =>
    Object.assign(textField(entryForm, field), { label: t(field) })
  return (
    <EntryForm title={null} form={entryForm} onCancel={props.onCancel} missing={t('fields-missing')}>
      <FieldGrid>
        {!entry && (
          <TextInput
            label={t('id')}
            inputMode="numeric"
            maxLength={4}
            autoComplete="off"
            value={values.id}
            onChange={(event) => change({ id: event.currentTarget.value })}
            error={errors.id}
            {...descriptionBelow}
            description={t('id-hint')}
            data-autofocus
          />
        )}
        {TEXTS.map((field, index) => (
          <TextInput
            key={field}
            {...(index === 0 && { ref: firstField, 'data-autofocus': entry !== undefined })}
            {...text(field)}
            maxLength={MAX_LENGTHS[field]}
          />
        ))}
      </FieldGrid>
      <h3 className={css.heading}>{t('position')}</h3>
      <FieldGrid>
        <Select
          label={t('chainageAscends')}
          data={['', 'yes', 'no'].map((value) => ({ value, label: t(`grows-${value || 'unknown'}`) }))}
          allowDeselect={false}
          comboboxProps={{ transitionProps: { duration: 0 } }}
          value={values.chainageAscends}
          onChange={(value) => change({ chainageAscends: value ?? '' })}
          error={errors.chainageAscends}
          {...storedBelow(stored.chainageAscends)}
        />
        {DEGREES.map((field) => (
          <TextInput key={field} {...text(field)} inputMode="decimal" maxLength={12} />
        ))}
      </FieldGrid>
      <h3 className={css.heading}>{t('rules')}</h3>
      <FieldGrid>
        {NUMBERS.map((field) => (
          <TextInput key={field} {...text(field)} inputMode="numeric" maxLength={6} />
        ))}
        <Checkboxes>
          <Checkbox
            label={t('overheightAlarm')}
            checked={values.overheightAlarm}
            onChange={(event) => change({ overheightAlarm: event.currentTarget.checked })}
            error={errors.overheightAlarm}
            {...descriptionBelow}
            description={<StoredValue value={stored.overheightAlarm} />}
          />
        </Checkboxes>
      </FieldGrid>
      <h3 className={css.heading}>{t('lanes')}</h3>
      <LanesField
        lanes={values.lanes}
        onChange={(lanes) => change({ lanes })}
        error={errors.lanes}
        stored={stored.lanes}
      />
    </EntryForm>
  )
}
