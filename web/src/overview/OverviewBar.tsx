import { Switch } from '@mantine/core'
import { type ReactNode, useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useTicking } from '../core/clock.ts'
import { ListTitle } from '../ui/ListTitle.tsx'
import css from './Overview.module.css'
import type { OverviewRow } from './useOverview.ts'
import type { OverviewSettings } from './useOverviewSettings.ts'
import { useOverviewTexts } from './useOverviewTexts.ts'
import type { Traffic } from './useTraffic.ts'

/** Title of the page, how many stations are in which state, and the vehicles on their way if they are known. */
export function Title({ rows, traffic }: { rows: readonly OverviewRow[] | undefined; traffic: Traffic }) {
  const { t } = useTranslation('overview')
  const { summary } = useOverviewTexts()
  const onWay = traffic && [...traffic.values()].reduce((sum, { vehicles }) => sum + vehicles.length, 0)
  return (
    <>
      <ListTitle>{t('core:nav-overview')}</ListTitle>
      {rows && rows.length > 0 && (
        <p className={css.summary}>
          {summary(rows)}
          {onWay !== null && ` · ${t('on-way', { count: onWay })}`}
        </p>
      )}
    </>
  )
}

/** Age of the state, and switches. */
export function Actions({ at, children }: { at: number | undefined; children: ReactNode }) {
  return (
    <>
      {at !== undefined && <Age at={at} />}
      {children}
    </>
  )
}

function Age({ at }: { at: number }) {
  const { t } = useTranslation('overview')
  const text = useCallback((now: number) => t('age', { seconds: Math.max(0, Math.floor((now - at) / 1_000)) }), [t, at])
  return <span className={css.age} ref={useTicking(text)} />
}

/** How the page shows the stations; remembered on this device. */
export function Switches({ settings }: { settings: OverviewSettings }) {
  const { t } = useTranslation('overview')
  return (
    <div className={css.switches}>
      <Switch
        label={t('unusual-first')}
        checked={settings.isUnusualFirst}
        onChange={(event) => settings.setUnusualFirst(event.currentTarget.checked)}
      />
      <Switch
        label={t('table')}
        checked={settings.isTable}
        onChange={(event) => settings.setTable(event.currentTarget.checked)}
      />
    </div>
  )
}
