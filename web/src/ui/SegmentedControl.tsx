import { SegmentedControl as MantineSegmentedControl } from '@mantine/core'
import type { ReactNode } from 'react'
import css from './SegmentedControl.module.css'

type Props<V extends string> = {
  /** For screen readers. */
  label: string
  options: readonly { value: V; label: ReactNode }[]
  value: V
  onChange: (value: V) => void
  wide?: boolean
}

export const SegmentedControl = <V extends string>({ label, options, value, onChange, wide = false }: Props<V>) => (
  <MantineSegmentedControl
    aria-label={label}
    data={[...options]}
    value={value}
    onChange={(selected) => onChange(selected as V)}
    fullWidth={wide}
    transitionDuration={0}
    withItemsBorders={false}
    classNames={{
      root: css.root ?? '',
      indicator: css.indicator ?? '',
      control: css.control ?? '',
      label: css.label ?? '',
    }}
  />
)
