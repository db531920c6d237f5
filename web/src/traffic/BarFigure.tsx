import type { ReactNode } from 'react'
import { MISSING, useFormat } from '../core/format.ts'
import type { Bar } from './BarChart.tsx'

/** Content of the panel of a bar: its name, its figure and, below, what more there is about it. */
export function BarFigure({ bar, children }: { bar: Bar; children?: ReactNode }) {
  const { number } = useFormat()
  return (
    <>
      {bar.name} <b>{bar.value === null ? MISSING : number(bar.value)}</b>
      {children && (
        <>
          <br />
          {children}
        </>
      )}
    </>
  )
}
