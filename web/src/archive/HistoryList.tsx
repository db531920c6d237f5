import { VisuallyHidden } from '@mantine/core'
import { historyReport } from '@rogatka/contract/archive.ts'
import { BLACK } from '@rogatka/contract/options.ts'
import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { MIN_LIKENESS } from '@rogatka/domain/archive/history.ts'
import { displayPlate } from '@rogatka/domain/vehicle/plate.ts'
import { isAtOrOverLimit } from '@rogatka/domain/vehicle/weight.ts'
import { type KeyboardEvent, type MouseEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { formatDate, formatDateTime, formatTime, useFormat } from '../core/format.ts'
import { ReportMenu } from '../core/frame/ReportMenu.tsx'
import { usePages } from '../core/usePages.ts'
import { Kbd } from '../ui/Kbd.tsx'
import { Pagination } from '../ui/Pagination.tsx'
import { pageCount } from '../ui/pages.ts'
import { SegmentedControl } from '../ui/SegmentedControl.tsx'
import stretched from '../ui/stretchedLink.module.css'
import base from '../ui/table.module.css'
import { vehicleKey } from '../ui/vehicle/vehicleKey.ts'
import violationCss from '../ui/vehicle/violation.module.css'
import { missingWeight, useRowKeys } from '../vehicle/publicApi.ts'
import css from './HistoryList.module.css'
import { type Picks, sideOf } from './historyPicks.ts'
import { reportSize } from './reportSize.ts'
import { SideMark } from './SideMark.tsx'
import {
  dayChoices,
  HISTORY_PAGE_SIZE,
  type PlateDetection,
  type PlateHistoryPage,
  type usePlateHistory,
} from './usePlateHistory.ts'

type RowActions = {
  picks: Picks
  onPick: (vehicle: WireVehicle) => void
  onOpen: (vehicle: WireVehicle) => void
}

type Props = RowActions & {
  vehicle: WireVehicle
  history: ReturnType<typeof usePlateHistory>
  data: PlateHistoryPage
}

const FILES = ['pdf', 'csv', 'xlsx'] as const

/** The detections, newest first. ↑ ↓ move between them, Space picks one, Enter opens its vehicle. */
export function HistoryList({ vehicle, history, data, ...actions }: Props) {
  const { t } = useTranslation('archive')
  const { number } = useFormat()
  const { list, days, setDays, page, setPage } = history
  const { content, totalCount, overloaded, from } = data
  const area = useRef<HTMLTableElement>(null)
  const pages = pageCount(totalCount, HISTORY_PAGE_SIZE)
  usePages({ page, count: pages, onPage: setPage })
  useRowKeys(area, null, { up: t('vehicle:key-up'), down: t('vehicle:key-down') })
  const pickFocused = (event: KeyboardEvent) => {
    if (event.key !== ' ' || !(event.target instanceof HTMLAnchorElement)) return
    event.preventDefault()
    const key = event.target.closest<HTMLElement>('[data-vehicle]')?.dataset.vehicle
    const detection = content.find((candidate) => vehicleKey(candidate) === key)
    if (detection) actions.onPick(detection)
  }
  return (
    <>
      <header className={css.head}>
        <h2>{t('history-passages')}</h2>
        <span>
          {t('history-total', {
            total: number(totalCount),
            date: formatDate(from),
            overloaded: number(overloaded),
          })}
        </span>
        <SegmentedControl
          label={t('history-days')}
          options={dayChoices.map((choice) => ({
            value: String(choice),
            label: t('history-days-of', { count: choice }),
          }))}
          value={String(days)}
          onChange={(value) => setDays(dayChoices.find((choice) => String(choice) === value) ?? days)}
        />
        {totalCount > 0 && (
          <div className={css.file}>
            <ReportMenu
              group={`plate-history ${vehicle.id}`}
              types={FILES}
              nameOf={(type) => t(`ui:download-${type}`)}
              failure={t('history-file-failed')}
              sizeOf={(type) => reportSize(type, totalCount)}
              requestLink={(reportType, signal) =>
                call(historyReport, {
                  params: { id: vehicle.id },
                  query: { locationId: vehicle.location.id, createdAt: vehicle.createdAt, days, reportType },
                  signal,
                })
              }
            />
          </div>
        )}
      </header>
      {totalCount === 0 ? (
        <p className={css.none}>{t('history-none')}</p>
      ) : (
        <table
          ref={area}
          className={`${base.table} ${css.table}`}
          aria-label={t('history-passages')}
          aria-busy={list.isPlaceholderData}
          onKeyDown={pickFocused}
        >
          <thead className={base.heads}>
            <tr>
              <th scope="col">
                <VisuallyHidden>{t('history-compared')}</VisuallyHidden>
              </th>
              <th scope="col">{t('column-time')}</th>
              <th scope="col">{t('column-station')}</th>
              <th scope="col" className={css.right}>
                {t('column-weight')}
              </th>
            </tr>
          </thead>
          <tbody>
            {content.map((detection) => (
              <Row key={vehicleKey(detection)} detection={detection} {...actions} />
            ))}
          </tbody>
        </table>
      )}
      {totalCount === 1 && <p className={css.none}>{t('history-only')}</p>}
      {pages > 1 && <Pagination page={page} count={pages} onPage={setPage} format={number} />}
      <p className={css.hint}>
        {t('history-readings', { percent: MIN_LIKENESS })} {t('history-hint')} <Kbd>↑</Kbd> <Kbd>↓</Kbd>{' '}
        <Kbd>{t('history-space')}</Kbd> <Kbd>Enter</Kbd>
      </p>
    </>
  )
}

function Row({ detection, picks, onPick, onOpen }: RowActions & { detection: PlateDetection }) {
  const { t } = useTranslation('archive')
  const { tonnes, number, excess } = useFormat()
  const { id, createdAt, location, lane, speed, plateLpr, nationality, likeness, totalLoad, wanted } = detection
  const side = sideOf(picks, detection)
  const time = formatDateTime(createdAt)
  const isMarked = detection.overload && (!wanted || wanted.typeOfList === BLACK)
  const worst = Math.max(detection.overloadTL ?? 0, detection.overloadSA ?? 0, detection.overloadMA ?? 0)
  const open = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    onOpen(detection)
  }
  return (
    <tr data-vehicle={vehicleKey(detection)} className={side ? css.picked : undefined}>
      <td className={css.side}>
        <button
          type="button"
          className={`${css.pick} ${stretched.link}`}
          aria-pressed={side !== null}
          aria-label={side ? `${side}: ${time}` : t('history-pick', { time })}
          onClick={() => onPick(detection)}
        >
          <SideMark side={side} />
        </button>
      </td>
      <td>
        <a
          className={css.time}
          href={`/vehicleArch/${id}/${location.id}/${createdAt}`}
          aria-label={[time, location.shortName, side].filter(Boolean).join(', ')}
          onClick={open}
        >
          {formatDate(createdAt)}
          <br />
          <b>{formatTime(createdAt)}</b>
        </a>
      </td>
      <td className={css.station}>
        {location.shortName}
        <small>
          {t('ui:lane-number', { lane: lane.laneNumber })}
          {speed !== null && ` · ${number(speed)} km/h`}
          {likeness < 100 && (
            <span className={css.reading}>
              {t('history-reading', { reading: displayPlate(plateLpr ?? '', nationality), percent: likeness })}
            </span>
          )}
        </small>
      </td>
      <td className={isAtOrOverLimit(detection) ? `${css.figure} ${css.red}` : css.figure}>
        {tonnes(totalLoad)}
        {totalLoad === null && <small>{t(`vehicle:${missingWeight(detection)}`)}</small>}
        {isMarked && worst > 0 && (
          <span className={`${violationCss.violation} ${css.excess}`}>
            <b className={violationCss.excess}>{excess(worst)}</b>
          </span>
        )}
      </td>
    </tr>
  )
}
