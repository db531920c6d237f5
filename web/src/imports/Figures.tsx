import type { ReactNode } from 'react'
import kpis from '../ui/Kpis.module.css'
import css from './Imports.module.css'

type Figure = { name: string; value: string; note?: ReactNode }

/** A row of figures with their names. */
export const Figures = ({ label, figures }: { label: string; figures: readonly Figure[] }) => (
  <dl className={`${kpis.kpis} ${css.kpis}`} aria-label={label}>
    {figures.map(({ name, value, note }) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>
          <b>{value}</b>
          {note && <span>{note}</span>}
        </dd>
      </div>
    ))}
  </dl>
)

type MeterProps = { label: string; percent: number }

/** Progress bar; screen readers announce quarters. */
export const Meter = ({ label, percent }: MeterProps) => (
  <>
    <div
      className={css.meter}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <i style={{ width: `${percent}%` }} />
    </div>
    <span className={css.announced} role="status">
      {`${Math.floor(percent / 25) * 25} %`}
    </span>
  </>
)
