import { NativeSelect, TextInput } from '@mantine/core'
import {
  decimalSigns,
  type ImportColumn,
  type ImportField,
  importEncodings,
  importFields,
  importFormats,
  importSeparators,
  importUnits,
  wUnits,
} from '@rogatka/contract/imports.ts'
import { hasUnknownOrder } from '@rogatka/domain/imports/times.ts'
import { useTranslation } from 'react-i18next'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { FieldPair } from '../ui/Fields.tsx'
import css from './Imports.module.css'
import { MappingTools } from './MappingTools.tsx'
import type { Import, Options } from './useImports.ts'

/** The server names the columns of a file that is read in another way. */
const NO_COLUMNS = { columns: [] }

type Props = { entry: Import; options: Options; onChange: (options: Options) => void }

/** How the file is read: format, time zone, units, and for tables the field of each column. */
export function OptionsPanel({ entry, options, onChange }: Props) {
  const { t } = useTranslation('imports')
  const { known, total } = entry.recognised
  const { format } = options
  const change = (values: Partial<Options>) => onChange({ ...options, ...values })
  const select = <K extends 'format' | 'encoding' | 'accuracy' | 'wUnits' | 'separator' | 'decimalSign'>(
    key: K,
    label: string,
    values: readonly Options[K][],
    textOf: (value: Options[K]) => string,
  ) => (
    <NativeSelect
      size="xs"
      label={label}
      value={options[key]}
      data={values.map((value) => ({ value, label: textOf(value) }))}
      onChange={(event) =>
        change({ [key]: event.currentTarget.value, ...(key === 'separator' && NO_COLUMNS) } as Partial<Options>)
      }
    />
  )
  return (
    <section className={css.panel}>
      <header>
        <h2>{t('recognised')}</h2>
        <span className={css.certainty}>
          {t(format === 'csv' ? 'certainty-headings' : 'certainty-lines', { known, count: total })}
        </span>
      </header>
      <div className={css.options}>
        <FieldPair>
          {select('format', t('option-format'), importFormats, (value) => t(`file-format-${value}`))}
          <TextInput
            size="xs"
            label={t('option-timeZone')}
            value={options.timeZone}
            disabled={format === 'jsonl'}
            onChange={(event) => change({ timeZone: event.currentTarget.value })}
          />
        </FieldPair>
        <FieldPair>
          {select('encoding', t('option-encoding'), importEncodings, (value) => t(`encoding-${value}`))}
          {select('accuracy', t('option-accuracy'), ['none', 'lane'], (value) => t(`accuracy-${value}`))}
        </FieldPair>
        {format === 'w2001' && (
          <FieldPair>{select('wUnits', t('option-wUnits'), wUnits, (value) => t(`w-units-${value}`))}</FieldPair>
        )}
        {format === 'csv' && (
          <FieldPair>
            {select('separator', t('option-separator'), importSeparators, (value) =>
              t(`separator-${importSeparators.indexOf(value)}`),
            )}
            {select('decimalSign', t('option-decimalSign'), decimalSigns, (value) =>
              t(`decimal-${decimalSigns.indexOf(value)}`),
            )}
          </FieldPair>
        )}
        {format === 'csv' && (
          <FieldPair>
            <NativeSelect
              size="xs"
              label={t('option-hasHeadings')}
              value={String(options.hasHeadings)}
              data={[true, false].map((value) => ({ value: String(value), label: t(value ? 'yes' : 'no') }))}
              onChange={(event) => change({ hasHeadings: event.currentTarget.value === 'true', ...NO_COLUMNS })}
            />
          </FieldPair>
        )}
      </div>
      {format === 'csv' && <Columns entry={entry} options={options} onChange={onChange} />}
      <MappingTools options={options} onChange={onChange} />
    </section>
  )
}

/** The highest axle whose column can be chosen. */
const MAX_AXLES = 13

/** What a column can be: a field, with the axle of a load or of a gap. */
const CHOICES: [ImportField, number | null][] = importFields.flatMap((field): [ImportField, number | null][] => {
  if (field !== 'load' && field !== 'gap') return [[field, null]]
  const first = field === 'load' ? 1 : 2
  return Array.from({ length: MAX_AXLES + 1 - first }, (_, index) => [field, first + index])
})

/** Units with a text; the others are signs. */
const NAMED_UNITS = ['swiss10', 'fhwa', 'day-month', 'month-day'] as const
const isNamedUnit = (unit: string): unit is (typeof NAMED_UNITS)[number] => NAMED_UNITS.some((named) => named === unit)

const choiceKey = (field: ImportField, axle: number | null) => `${field}-${axle ?? ''}`
const unitsOf = (field: ImportField): readonly ImportColumn['unit'][] =>
  field in importUnits ? importUnits[field as keyof typeof importUnits] : []

/** The units of a column that make a difference: the order of day and month is known of dates that begin with the year. */
function offeredUnits({ field, unit }: ImportColumn, samples: readonly string[] = []): readonly ImportColumn['unit'][] {
  const isDate = field === 'date' || field === 'dateTime'
  const known = samples.filter((sample) => sample.trim() !== '')
  const isKnown = isDate && unit !== 'month-day' && known.length > 0 && !known.some(hasUnknownOrder)
  return isKnown ? [] : unitsOf(field)
}

function Columns({ entry, options, onChange }: Props) {
  const { t } = useTranslation('imports')
  const rows = options.columns.map((column, index) => ({
    column,
    index,
    samples: entry.columns.find((one) => one.column === column.column)?.samples,
  }))
  type Row = (typeof rows)[number]
  const set = (index: number, values: Partial<ImportColumn>) =>
    onChange({
      ...options,
      columns: options.columns.map((column, at) => (at === index ? { ...column, ...values } : column)),
    })
  const fieldName = (field: ImportField, axle: number | null) =>
    field === 'gap' ? t('spacing-of-axles', { from: (axle ?? 2) - 1, to: axle }) : t(`field-${field}`, { axle })
  const unitName = (unit: ImportColumn['unit']) =>
    unit !== null && isNamedUnit(unit) ? t(`unit-${unit}`) : (unit ?? '')
  const choices = CHOICES.map(([field, axle]) => ({ value: choiceKey(field, axle), label: fieldName(field, axle) }))
  const columns: Column<Row>[] = [
    {
      key: 'column',
      title: t('column'),
      head: true,
      cell: ({ column, samples }) => (
        <>
          <b>{column.column}</b>
          {!samples && <span className={css.missing}>{t('column-missing')}</span>}
        </>
      ),
    },
    {
      key: 'field',
      title: t('field'),
      wide: true,
      cell: ({ column, index, samples }) => (
        <div className={css.mapped}>
          <NativeSelect
            size="xs"
            aria-label={t('column-field', { column: column.column })}
            value={choiceKey(column.field, column.axle)}
            data={choices}
            onChange={(event) => {
              const [field, axle] = CHOICES.find((one) => choiceKey(...one) === event.currentTarget.value) ?? [
                'ignored',
                null,
              ]
              set(index, { field, axle, unit: unitsOf(field)[0] ?? null })
            }}
          />
          {offeredUnits(column, samples).length > 0 && (
            <NativeSelect
              size="xs"
              aria-label={t('column-unit', { column: column.column })}
              value={column.unit ?? ''}
              data={unitsOf(column.field).map((unit) => ({ value: unit ?? '', label: unitName(unit) }))}
              onChange={(event) => set(index, { unit: event.currentTarget.value as ImportColumn['unit'] })}
            />
          )}
        </div>
      ),
    },
    ...[0, 1].map(
      (at): Column<Row> => ({
        key: `sample-${at}`,
        title: t('row-number', { number: at + 1 }),
        right: true,
        cell: ({ samples }) => <span className={css.example}>{samples?.[at] ?? ''}</span>,
      }),
    ),
  ]
  return <DataTable label={t('columns')} columns={columns} rows={rows} keyOf={({ index }) => index} />
}
