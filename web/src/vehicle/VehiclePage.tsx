import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiFailure } from '../core/failure.ts'
import { formatDateTime, useFormat } from '../core/format.ts'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { useShortcuts } from '../core/shortcuts.ts'
import { useTitle, useTitlePart } from '../core/useTitle.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { CheckIcon, LeftIcon } from '../ui/icons.tsx'
import { Kbd } from '../ui/Kbd.tsx'
import { Loading } from '../ui/Loading.tsx'
import { SegmentedControl } from '../ui/SegmentedControl.tsx'
import { Plate } from '../ui/vehicle/Plate.tsx'
import { vehicleKey } from '../ui/vehicle/vehicleKey.ts'
import { ReportButton } from './ReportButton.tsx'
import { useBack } from './useBack.ts'
import { isTagged, useTag } from './useTag.ts'
import { locatorOf, type Source, useVehicle, type VehicleLocator } from './useVehicle.ts'
import { useVehicleTab, vehicleTabs } from './useVehicleTab.ts'
import { type DetailParts, VehicleDetail } from './VehicleDetail.tsx'
import css from './VehiclePage.module.css'

/** The URL decides: with the time of the measurement it is an archived vehicle. */
function useVehicleLocator(): VehicleLocator {
  const { id, locationId, createdAt } = useParams({ strict: false })
  const source: Source = createdAt === undefined ? 'live' : 'archive'
  return { source, id: Number(id), locationId: Number(locationId), createdAt }
}

/** Number and station, to tell tabs apart: the browser keeps titles in its history, so they hold no plate. */
const titleOf = ({ id, location }: WireVehicle, number: string): string => `${number} ${id} · ${location.shortName}`

type Props = {
  /** Further buttons, of other features. */
  actions: (vehicle: WireVehicle, isLive: boolean) => ReactNode
  /** The history of its plate; it reports the number of detections. */
  history: (vehicle: WireVehicle, onCount: (count: number) => void) => ReactNode
} & DetailParts

/** Up to this width the tabs have a row of their own. */
const NARROW_QUERY = '(max-width: 900px)'

/**
 * Number of detections in the history of the shown vehicle; null until the history is opened, as each request for it is
 * recorded in the access trail.
 */
function useHistoryCount(vehicle: WireVehicle | undefined) {
  const [known, setKnown] = useState<{ key: string; count: number }>()
  const key = vehicle ? vehicleKey(vehicle) : ''
  return {
    count: known?.key === key ? known.count : null,
    setCount: useCallback((count: number) => setKnown({ key, count }), [key]),
  }
}

/** Detail page of a live or archived vehicle. */
export function VehiclePage({ actions, history, ...parts }: Props) {
  const { t } = useTranslation('vehicle')
  const locator = useVehicleLocator()
  const { number } = useFormat()
  const { data: vehicle, error, refetch } = useVehicle(locator)
  const back = useBack(locator.source)
  const tag = useTag(locator.source)
  const toggleTag = () => vehicle && void tag(vehicle)
  const { hasHistory, tab, open } = useVehicleTab(vehicle)
  const { count, setCount } = useHistoryCount(vehicle)
  const isNarrow = useMediaQuery(NARROW_QUERY, false, { getInitialValueInEffect: false })
  const tagText = vehicle && isTagged(vehicle) ? t('untag') : t('tag')
  useShortcuts([
    { key: 'Escape', label: t('ui:back'), run: back },
    ...(vehicle && tab === 'measurement' ? [{ key: 't', label: tagText, run: toggleTag }] : []),
  ])

  useTitle(vehicle ? titleOf(vehicle, t('vehicle-number')) : null)
  useTitlePart(tab === 'history' ? t('tab-history') : null)
  const list = t(locator.source === 'live' ? 'core:nav-current' : 'core:nav-archive')
  const crumbs = vehicle ? [list, vehicle.location.shortName, formatDateTime(vehicle.createdAt)] : [list]
  const isUnknown = error instanceof ApiFailure && (error.status === 404 || error.status === 400)
  const tabs = hasHistory && (vehicle || !error) && (
    <SegmentedControl
      label={t('tabs')}
      options={vehicleTabs.map((value) => ({
        value,
        label: value === 'history' && count !== null ? `${t(`tab-${value}`)} ${number(count)}` : t(`tab-${value}`),
      }))}
      value={tab}
      onChange={open}
      wide={isNarrow}
    />
  )
  return (
    <PageLayout
      {...(isNarrow &&
        tabs && {
          tabs: (
            <section className={css.tabs} aria-label={t('tabs')}>
              {tabs}
            </section>
          ),
        })}
      title={
        <nav className={css.breadcrumb} aria-label={t('breadcrumb')}>
          <Button
            className={css.short ?? ''}
            variant="default"
            leftSection={<LeftIcon />}
            rightSection={<Kbd>Esc</Kbd>}
            onClick={back}
          >
            <span className={css.label}>{t('ui:back')}</span>
          </Button>
          {!isNarrow && tabs}
          {vehicle && tab === 'history' ? (
            <Plate
              plate={vehicle.plateLpr}
              nationality={vehicle.nationality}
              size="s"
              unreadable={t('unreadable-plate')}
            />
          ) : (
            <span className={css.crumbs}>{crumbs.join(' · ')}</span>
          )}
        </nav>
      }
      actions={
        vehicle &&
        tab === 'measurement' && (
          <>
            {actions(vehicle, locator.source === 'live')}
            <Button
              className={css.short ?? ''}
              variant={isTagged(vehicle) ? 'filled' : 'subtle'}
              color={isTagged(vehicle) ? 'accent' : 'gray'}
              leftSection={<CheckIcon />}
              rightSection={<Kbd>T</Kbd>}
              aria-pressed={isTagged(vehicle)}
              onClick={toggleTag}
            >
              <span className={css.label}>{tagText}</span>
            </Button>
            <ReportButton locator={locatorOf(locator.source, vehicle)} />
          </>
        )
      }
    >
      {vehicle && tab === 'history' && history(vehicle, setCount)}
      {vehicle && tab === 'measurement' && <VehicleDetail locator={locator} vehicle={vehicle} {...parts} />}
      {!vehicle && !error && <Loading label={t('loading')} skeleton={<div className={css.skeleton} />} />}
      {!vehicle && isUnknown && (
        <EmptyState title={t('not-found')} hint={t('not-found-hint')}>
          <Button variant="default" onClick={back}>
            {t('ui:back')}
          </Button>
        </EmptyState>
      )}
      {error && !(isUnknown && !vehicle) && (
        <ErrorBanner error={error} title={t('load-failed')} retry={() => void refetch()} />
      )}
    </PageLayout>
  )
}
