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
}

export const CheckboxGroup = <V extends string | number>({ label, options, selected, onToggle }: Props<V>) => (
  <fieldset className={css.list} aria-label={label}>
    {options.map(({ value, label: name, figure }) => (
      <div key={value} className={css.line}>
        <Checkbox label={name} checked={selected.includes(value)} onChange={() => onToggle(value)} />
        {figure && <span className={css.figure}>{figure}</span>}
      </div>
    ))}
  </fieldset>
)
