import type { ReactNode } from 'react'
import kpis from '../ui/Kpis.module.css'
import css from './Traffic.module.css'

type Props = { label: string; isBusy: boolean; children: ReactNode }

/** Figures above the charts. */
export const Kpis = ({ label, isBusy, children }: Props) => (
  <dl className={`${kpis.kpis} ${css.kpis}`} aria-label={label} aria-busy={isBusy}>
    {children}
  </dl>
)

type KpiProps = { name: string; unit?: string; value: string | undefined; note?: ReactNode }

export const Kpi = ({ name, unit, value, note }: KpiProps) => (
  <div>
    <dt>{name}</dt>
    <dd>
      {value !== undefined && (
        <>
          <b>{value}</b> {unit && <small>{unit}</small>} {note && <span>{note}</span>}
        </>
      )}
    </dd>
  </div>
)
