import { Button } from '@mantine/core'
import { finishDates, type WireFinishDate } from '@rogatka/contract/calibration.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { formatMinute } from '../core/format.ts'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Panel, Section } from '../ui/Panel.tsx'
import css from './FinishDates.module.css'
import { RevokeDialog } from './RevokeDialog.tsx'
import { finishesKey } from './useCalibration.ts'
import { useCalibrationTexts } from './useCalibrationTexts.ts'

type Row = WireFinishDate & { key: number }

/** Calibration dates of the selected stations by lane, with their author; each can be revoked. */
export function FinishDates({ locations }: { locations: readonly number[] }) {
  const { t } = useTranslation('calibration')
  const { plain } = useCalibrationTexts()
  const [revokedFinish, setRevokedFinish] = useState<WireFinishDate | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: finishesKey(locations),
    queryFn: ({ signal }) => call(finishDates, { query: { locations: [...locations] }, signal }),
    retry: false,
  })
  const laneOf = ({ location, lane }: WireFinishDate) =>
    t('lane', { location: location.shortName, lane: lane.laneNumber })
  const columns: Column<Row>[] = [
    { key: 'lane', title: t('ui:lane'), head: true, sortBy: laneOf, cell: laneOf },
    {
      key: 'time',
      title: t('finish-column-time'),
      first: 'desc',
      sortBy: ({ finishedAt }) => finishedAt,
      cell: (row) => (
        <>
          <span className={row.revoked ? css.revoked : css.time}>{formatMinute(row.finishedAt)}</span>
          {row.inForce && <span className={css.inForce}>{t('finish-in-force')}</span>}
          {row.revoked && (
            <small className={css.why}>
              {t('finish-revoked', { ...row.revoked, at: formatMinute(row.revoked.at) })}
            </small>
          )}
        </>
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
      cell: ({ reference }) => plain(reference?.counter ?? null, 0),
    },
    {
      key: 'entered',
      title: t('finish-column-entered'),
      first: 'desc',
      sortBy: ({ enteredAt }) => enteredAt,
      cell: ({ enteredBy, enteredAt }) => `${enteredBy}, ${formatMinute(enteredAt)}`,
      wide: true,
    },
    {
      key: 'revoke',
      title: t('finish-revoke'),
      plain: true,
      right: true,
      cell: (row) =>
        row.revoked === null && (
          <Button
            variant="default"
            aria-label={t('finish-revoke-of', { of: `${laneOf(row)}, ${formatMinute(row.finishedAt)}` })}
            onClick={() => setRevokedFinish(row)}
          >
            {t('finish-revoke')}
          </Button>
        ),
    },
  ]
  return (
    <div className={css.container}>
      <Panel>
        <Section title={t('finishes')}>
          {error && <ErrorBanner error={error} title={t('finishes-failed')} retry={() => void refetch()} />}
          {!data && !error && <Loading label={t('finishes-loading')} />}
          {data?.length === 0 && <p className={css.none}>{t('finishes-none')}</p>}
          {data && data.length > 0 && (
            <DataTable<Row>
              label={t('finishes')}
              columns={columns}
              rows={data.map((row, key) => ({ ...row, key }))}
              keyOf={({ key }) => key}
            />
          )}
        </Section>
      </Panel>
      {revokedFinish && (
        <RevokeDialog
          finish={revokedFinish}
          // Other lanes of the station recorded together with it, possibly by the same mistake.
          others={(data ?? []).filter(
            ({ location, lane, finishedAt, revoked }) =>
              location.id === revokedFinish.location.id &&
              lane.id !== revokedFinish.lane.id &&
              finishedAt === revokedFinish.finishedAt &&
              revoked === null,
          )}
          onClose={() => setRevokedFinish(null)}
        />
      )}
    </div>
  )
}
