import { Button } from '@mantine/core'
import {
  calibrationReports,
  finishDates,
  finishDatesReport,
  restoreFinish,
  type WireFinishDate,
} from '@rogatka/contract/calibration.ts'
import { listPages } from '@rogatka/domain/core/listDocument.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { formatMinute } from '../core/format.ts'
import { ReportMenu } from '../core/frame/ReportMenu.tsx'
import { useBanner } from '../core/useBanner.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { PencilIcon } from '../ui/icons.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Panel, Section } from '../ui/Panel.tsx'
import { StatusMark } from '../ui/StatusMark.tsx'
import css from './FinishDates.module.css'
import { FinishDialog } from './FinishDialog.tsx'
import { finishesKey, refreshCalibration } from './useCalibration.ts'
import { useCalibrationTexts } from './useCalibrationTexts.ts'

/** Layout of the PDF list: a row of one line; issuer, number and stations; the count. */
const LIST = { rowHeight: 19, criteria: 3, blocks: [1] }

type Row = WireFinishDate & { key: number }

/** The measured reference of the lane before a finished calibration, in kg; null without one. */
function previousReference(
  all: readonly WireFinishDate[],
  { lane, finishedAt, revoked }: WireFinishDate,
): number | null {
  if (revoked) return null
  const [before] = all
    .filter((row) => row.lane.id === lane.id && row.revoked === null && row.finishedAt < finishedAt)
    .toSorted((a, b) => b.finishedAt.localeCompare(a.finishedAt))
  return before?.reference?.firstAxleAvg ?? null
}

/** Calibration dates of the selected stations by lane, with their author; each can be corrected, revoked and restored. */
export function FinishDates({ locations }: { locations: readonly number[] }) {
  const { t } = useTranslation('calibration')
  const { plain, collected } = useCalibrationTexts()
  const [dialog, setDialog] = useState<{ action: 'correct' | 'revoke'; finish: WireFinishDate } | null>(null)
  const banner = useBanner()
  const showSuccess = useSuccessToast()
  const [restoring, setRestoring] = useState<number | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: finishesKey(locations),
    queryFn: ({ signal }) => call(finishDates, { query: { locations: [...locations] }, signal }),
    retry: false,
  })
  const laneOf = ({ location, lane }: WireFinishDate) =>
    t('lane', { location: location.shortName, lane: lane.laneNumber })
  const nameOf = (row: WireFinishDate) => ({ of: `${laneOf(row)}, ${formatMinute(row.finishedAt)}` })
  const restore = async ({ key, lane, version, finishedAt }: Row) => {
    banner.clear()
    setRestoring(key)
    try {
      await call(restoreFinish, { body: { lanes: [lane.id], versions: [version], finishedAt } })
      showSuccess(t('finish-restore-done'))
    } catch (failure) {
      banner.show(failure)
    } finally {
      setRestoring(null)
      // Also after an error: another user may have restored it.
      refreshCalibration()
    }
  }
  const countText = (all: readonly WireFinishDate[]) => {
    const revoked = all.filter((row) => row.revoked).length
    const entries = t('finishes-count', { count: all.length })
    return revoked > 0 ? `${entries}, ${t('finishes-revoked', { count: revoked })}` : entries
  }
  const columns: Column<Row>[] = [
    { key: 'lane', title: t('ui:lane'), head: true, sortBy: laneOf, cell: laneOf },
    {
      key: 'time',
      title: t('finish-column-time'),
      first: 'desc',
      sortBy: ({ finishedAt }) => finishedAt,
      cell: (row) => (
        <div>
          <span className={row.revoked ? css.revoked : css.time}>{formatMinute(row.finishedAt)}</span>
          {row.inForce && <span className={css.inForce}>{t('finish-in-force')}</span>}
          {row.corrected && (
            <small className={css.why}>
              {t('finish-corrected', {
                ...row.corrected,
                at: formatMinute(row.corrected.at),
                from: formatMinute(row.corrected.from),
              })}
            </small>
          )}
          {row.revoked && (
            <small className={css.why}>
              {t('finish-revoked', { ...row.revoked, at: formatMinute(row.revoked.at) })}
            </small>
          )}
        </div>
      ),
      wide: true,
    },
    {
      key: 'reference',
      title: t('finish-column-reference'),
      sortBy: ({ reference }) => reference?.firstAxleAvg,
      right: true,
      cell: ({ reference }) => plain(reference?.firstAxleAvg ?? null, 0),
    },
    {
      key: 'vehicles',
      title: t('column-count'),
      first: 'desc',
      sortBy: ({ reference }) => reference?.counter,
      right: true,
      cell: (row) =>
        row.reference || row.revoked ? (
          plain(row.reference?.counter ?? null, 0)
        ) : (
          <span className={css.provisional}>
            <StatusMark status="attention" label={t('finish-provisional')} /> {collected(row.collected)}
          </span>
        ),
    },
    {
      key: 'previous',
      title: t('finish-column-previous'),
      right: true,
      sortBy: (row) => previousReference(data ?? [], row),
      cell: (row) => plain(previousReference(data ?? [], row), 0),
    },
    {
      key: 'entered',
      title: t('finish-column-entered'),
      first: 'desc',
      sortBy: ({ enteredAt }) => enteredAt,
      cell: ({ enteredBy, enteredAt }) => `${enteredBy}, ${formatMinute(enteredAt)}`,
    },
    {
      key: 'actions',
      title: t('finish-actions'),
      plain: true,
      right: true,
      cell: (row) =>
        row.revoked === null ? (
          <div className={css.actions}>
            <Button
              variant="default"
              leftSection={<PencilIcon />}
              aria-label={t('finish-correct-of', nameOf(row))}
              onClick={() => setDialog({ action: 'correct', finish: row })}
            >
              {t('finish-correct')}
            </Button>
            <Button
              variant="default"
              aria-label={t('finish-revoke-of', nameOf(row))}
              onClick={() => setDialog({ action: 'revoke', finish: row })}
            >
              {t('finish-revoke')}
            </Button>
          </div>
        ) : (
          <Button
            variant="default"
            aria-label={t('finish-restore-of', nameOf(row))}
            loading={restoring === row.key}
            onClick={() => void restore(row)}
          >
            {t('finish-restore')}
          </Button>
        ),
    },
  ]
  return (
    <div className={css.container}>
      <Panel>
        <Section
          title={t('finishes')}
          hint={data && data.length > 0 && countText(data)}
          action={
            <ReportMenu
              group="calibration-list"
              label={t('finishes-download')}
              types={calibrationReports}
              nameOf={(type) => t(`ui:download-${type}`)}
              failure={t('download-failed')}
              sizeOf={(type) =>
                data ? (type === 'pdf' ? { pages: listPages(data.length, LIST) } : { rows: data.length }) : null
              }
              requestLink={(reportType, signal) =>
                call(finishDatesReport, { query: { locations: [...locations], reportType }, signal })
              }
            />
          }
        >
          {banner.message && (
            <ErrorBanner error={banner.message.error} title={t('finish-restore-failed')} dismiss={banner.clear} />
          )}
          {error && <ErrorBanner error={error} title={t('finishes-failed')} retry={() => void refetch()} />}
          {!data && !error && <Loading label={t('finishes-loading')} />}
          {data?.length === 0 && <p className={css.none}>{t('finishes-none')}</p>}
          {data && data.length > 0 && (
            <>
              <DataTable<Row>
                label={t('finishes')}
                columns={columns}
                rows={data.map((row, key) => ({ ...row, key }))}
                keyOf={({ key }) => key}
              />
              <p className={css.note}>{t('finishes-note')}</p>
            </>
          )}
        </Section>
      </Panel>
      {dialog && (
        <FinishDialog
          action={dialog.action}
          finish={dialog.finish}
          // Other lanes of the station recorded together with it, possibly by the same mistake.
          others={(data ?? []).filter(
            ({ location, lane, finishedAt, revoked }) =>
              location.id === dialog.finish.location.id &&
              lane.id !== dialog.finish.lane.id &&
              finishedAt === dialog.finish.finishedAt &&
              revoked === null,
          )}
          onClose={() => setDialog(null)}
        />
      )}
    </div>
  )
}
