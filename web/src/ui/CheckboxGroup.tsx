import { Checkbox } from '@mantine/core'
import type { ReactNode } from 'react'
import css from './CheckboxGroup.module.css'

type Option<V> = {
  value: V
  label: ReactNode
  /** Right-aligned: a number or a mark. */
  figure?: ReactNode
}

type Props<V> = {
  /** For screen readers. */
  label: string
  options: readonly Option<V>[]
  selected: readonly V[]
  onToggle: (value: V) => void
  /** At least one stays selected; this text says so beside the last one. */
  required?: string
}

export const CheckboxGroup = <V extends string | number>({
  label,
  options,
  selected,
  onToggle,
  required,
}: Props<V>) => (
  <fieldset className={css.list} aria-label={label}>
    {options.map(({ value, label: name, figure }) => (
      <div key={value} className={css.line}>
        <Checkbox
          label={name}
          checked={selected.includes(value)}
          disabled={required !== undefined && selected.length === 1 && selected.includes(value)}
          onChange={() => onToggle(value)}
        />
        {figure && <span className={css.figure}>{figure}</span>}
      </div>
    ))}
    {required !== undefined && selected.length === 1 && <p className={css.required}>{required}</p>}
  </fieldset>
)
