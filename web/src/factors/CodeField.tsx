import { type ReactNode, type Ref, useId } from 'react'
import css from './CodeField.module.css'

const DIGITS = 6

type Props = {
  ref?: Ref<HTMLInputElement>
  label: string
  hint: ReactNode
  value: string
  onChange: (code: string) => void
  /** Called with the sixth digit. */
  onComplete?: (code: string) => void
  error?: string | undefined
  /** While the code is checked. */
  readOnly?: boolean
  autoFocus?: boolean
}

/** Six digits in boxes, which are one field for pasting, autofill and screen readers. */
export function CodeField({
  ref,
  label,
  hint,
  value,
  onChange,
  onComplete,
  error,
  readOnly = false,
  autoFocus,
}: Props) {
  const id = useId()
  const change = (text: string) => {
    const code = text.replace(/\D/g, '').slice(0, DIGITS)
    onChange(code)
    if (code.length === DIGITS && code !== value) onComplete?.(code)
  }
  return (
    <div className={css.field}>
      <label htmlFor={id}>{label}</label>
      <div className={css.boxes} data-invalid={error !== undefined || undefined}>
        <input
          ref={ref}
          id={id}
          name="code"
          value={value}
          onChange={({ currentTarget }) => change(currentTarget.value)}
          inputMode="numeric"
          autoComplete="one-time-code"
          spellCheck={false}
          readOnly={readOnly}
          // biome-ignore lint/a11y/noAutofocus: the only field of its step
          autoFocus={autoFocus}
          data-autofocus={autoFocus || undefined}
          aria-invalid={error !== undefined}
          aria-describedby={`${id}-hint`}
        />
        {Array.from({ length: DIGITS }, (_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a box is its position
          <span key={at} data-next={at === Math.min(value.length, DIGITS - 1) || undefined} aria-hidden="true">
            {value[at]}
          </span>
        ))}
      </div>
      <p id={`${id}-hint`} className={error ? css.error : css.hint} role={error ? 'alert' : undefined}>
        {error ?? hint}
      </p>
    </div>
  )
}
