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
  const [wrong, setWrong] = useState({ min: false, max: false })
  const crossed = value.min !== null && value.max !== null && value.min > value.max
  const notNumbers = wrong.min || wrong.max
  const message = notNumbers ? t('errors:invalid-number') : crossed ? t('errors:min-greater-than-max') : null

  const field = (end: 'min' | 'max', name: string) => (
    <NumberText
      label={`${label}, ${name}${unit ? ` (${unit})` : ''}`}
      placeholder={name}
      value={value[end]}
      decimals={decimals}
      describedBy={message ? id : undefined}
      wrong={crossed || wrong[end]}
      onWrong={(is) => setWrong((now) => ({ ...now, [end]: is }))}
      onChange={(number) => onChange({ ...value, [end]: number })}
    />
  )
  return (
    <div className={message ? `${css.range} ${css.wrong}` : css.range}>
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
  wrong: boolean
  onWrong: (wrong: boolean) => void
  onChange: (value: number | null) => void
}

/** Shows the typed text until blur, then the number as formatted in the language. */
function NumberText({ label, placeholder, value, decimals, describedBy, wrong, onWrong, onChange }: NumberTextProps) {
  const { i18n } = useTranslation('ui')
  const [typed, setTyped] = useState<string | null>(null)
  const type = (text: string) => {
    setTyped(text)
    const number = parseNumber(text)
    onWrong(number === undefined)
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
      value={typed ?? formatField(value, decimals, i18n.language)}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={() => parseNumber(typed ?? '') !== undefined && setTyped(null)}
      error={wrong}
    />
  )
}
