import { Checkbox } from '@mantine/core'
import type { ReactNode } from 'react'
import css from './CheckboxGroup.module.css'

type Option<V> = {
  value: V
  label: ReactNode
  /** At the right: a number, a mark. */
  figure?: ReactNode
}

type Props<V> = {
  /** What is chosen here, for screen readers. */
  label: string
  options: readonly Option<V>[]
  chosen: readonly V[]
  onToggle: (value: V) => void
}

/** Boxes one below the other. */
export const CheckboxGroup = <V extends string | number>({ label, options, chosen, onToggle }: Props<V>) => (
  <fieldset className={css.list} aria-label={label}>
    {options.map(({ value, label: name, figure }) => (
      <div key={value} className={css.line}>
        <Checkbox label={name} checked={chosen.includes(value)} onChange={() => onToggle(value)} />
        {figure && <span className={css.figure}>{figure}</span>}
      </div>
    ))}
  </fieldset>
)
