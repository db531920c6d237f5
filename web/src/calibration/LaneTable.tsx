import { VisuallyHidden } from '@mantine/core'
import type { WireCalibration, WireCalibrationPeriod } from '@rogatka/contract/calibration.ts'
import { exceedsDeviation } from '@rogatka/domain/calibration/chart.ts'
import { useTranslation } from 'react-i18next'
import { formatMinute } from '../core/format.ts'
import { StatusMark } from '../ui/StatusMark.tsx'
import { VirtualTable } from '../ui/VirtualTable.tsx'
import { ColumnHeader } from './ColumnHeader.tsx'
import { useCalibrationTexts } from './useCalibrationTexts.ts'

export type Lane = WireCalibration['lanes'][number]

type Props = { label: string; result: Lane }

type Column = { key: string; cell: (period: WireCalibrationPeriod) => string }

/** Values of a lane, newest first; red if the deviation requires a recalibration. */
export function LoadTable({ label, result: { periods } }: Props) {
  const { t } = useTranslation('calibration')
  const { plain, signed } = useCalibrationTexts()
  const columns: Column[] = [
    { key: 'time', cell: ({ dateTime }) => formatMinute(dateTime) },
    { key: 'load', cell: ({ firstAxleAvg }) => plain(firstAxleAvg, 0) },
    { key: 'cov', cell: ({ firstAxleCov }) => plain(firstAxleCov, 1) },
    { key: 'count', cell: ({ counter }) => plain(counter, 0) },
    { key: 'deviation', cell: ({ deviationFromReference }) => signed(deviationFromReference) },
    { key: 'confidence', cell: ({ confidence }) => plain(confidence, 1) },
  ]
  const isRed = ({ deviationFromReference }: WireCalibrationPeriod) => exceedsDeviation(deviationFromReference)
  return (
    <VirtualTable<WireCalibrationPeriod>
      label={label}
      rows={periods.toReversed()}
      keyOf={({ dateTime }) => dateTime}
      isRed={isRed}
      columns={columns.map(({ key, cell }) => ({
        key,
        head: <ColumnHeader name={t(`column-${key}`)} description={t(`about-${key}`)} />,
        cell: (period) =>
          key === 'deviation' && isRed(period) ? (
            <>
              <StatusMark status="malfunction" label={t('legend-outside')} /> {cell(period)}
            </>
          ) : (
            cell(period)
          ),
      }))}
    />
  )
}

/** The values of the deviation chart for screen readers. */
export function DeviationTable({ label, result: { periods } }: Props) {
  const { t } = useTranslation('calibration')
  const { plain, signed } = useCalibrationTexts()
  return (
    <VisuallyHidden>
      <table aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{t('column-time')}</th>
            <th scope="col">{t('column-deviation')}</th>
            <th scope="col">{t('column-confidence')}</th>
          </tr>
        </thead>
        <tbody>
          {periods.map(({ dateTime, deviationFromReference, confidence }) => (
            <tr key={dateTime}>
              <th scope="row">{formatMinute(dateTime)}</th>
              <td>{signed(deviationFromReference)}</td>
              <td>{plain(confidence, 1)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </VisuallyHidden>
  )
}
