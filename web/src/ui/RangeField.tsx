import { TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatField, parseNumber } from './numberField.ts'
import css from './RangeField.module.css'

/** Null: no bound on that side. */
export type Range = { min: number | null; max: number | null }

type Props = {
  label: string
  /** Shown once, after both fields. */
  unit?: string
  /** In the displayed unit. */
  value: Range
  decimals?: number
  onChange: (value: Range) => void
}

/** Minimum and maximum, both optional. Shows an error if min > max or a field is not a number. */
export function RangeField({ label, unit, value, decimals = 0, onChange }: Props) {
  const { t } = useTranslation('ui')
  const id = useId()
  const [invalid, setInvalid] = useState({ min: false, max: false })
  const isReversed = value.min !== null && value.max !== null && value.min > value.max
  const isNotNumeric = invalid.min || invalid.max
  const message = isNotNumeric ? t('errors:invalid-number') : isReversed ? t('errors:min-greater-than-max') : null

  const field = (end: 'min' | 'max', name: string) => (
    <NumberInput
      label={`${label}, ${name}${unit ? ` (${unit})` : ''}`}
      placeholder={name}
      value={value[end]}
      decimals={decimals}
      describedBy={message ? id : undefined}
      invalid={isReversed || invalid[end]}
      onInvalid={(isInvalid) => setInvalid((current) => ({ ...current, [end]: isInvalid }))}
      onChange={(number) => onChange({ ...value, [end]: number })}
    />
  )
  return (
    <div className={message ? `${css.range} ${css.invalid}` : css.range}>
      <span className={css.label}>{label}</span>
      <span className={css.fields}>
        {field('min', t('from'))}
        <span aria-hidden="true">–</span>
        {field('max', t('to'))}
        {unit && <span className={css.unit}>{unit}</span>}
      </span>
      {message && (
        <span id={id} className={css.message} role="alert">
          {message}
        </span>
      )}
    </div>
  )
}

type NumberTextProps = {
  label: string
  placeholder: string
  value: number | null
  decimals: number
  describedBy: string | undefined
  invalid: boolean
  onInvalid: (invalid: boolean) => void
  onChange: (value: number | null) => void
}

/** Shows the typed text until blur, then the number as formatted in the language. */
function NumberInput({
  label,
  placeholder,
  value,
  decimals,
  describedBy,
  invalid,
  onInvalid,
  onChange,
}: NumberTextProps) {
  const { i18n } = useTranslation('ui')
  const [draft, setDraft] = useState<string | null>(null)
  const type = (text: string) => {
    setDraft(text)
    const number = parseNumber(text)
    onInvalid(number === undefined)
    if (number !== undefined) onChange(number)
  }
  return (
    <TextInput
      aria-label={label}
      aria-describedby={describedBy}
      placeholder={placeholder}
      inputMode="decimal"
      autoComplete="off"
      maxLength={9}
      value={draft ?? formatField(value, decimals, i18n.language)}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={() => parseNumber(draft ?? '') !== undefined && setDraft(null)}
      error={invalid}
    />
  )
}
