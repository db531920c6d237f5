import { useTranslation } from 'react-i18next'
import { MISSING } from '../core/format.ts'
import { ArchiveLink } from '../vehicle/publicApi.ts'
import { type Bar, BarChart } from './BarChart.tsx'
import { countsByHour } from './hours.ts'
import type { Period } from './search.ts'
import { useTrafficTexts } from './useTrafficTexts.ts'

type Props = {
  /** Name of the station. */
  name: string
  /** Vehicles per hour from 0 to 23; null: no data. */
  hours: readonly (number | null)[]
  earlier: readonly (number | null)[]
  earlierName: string | null
  /** Of all charts. */
  max: number
  /** Vehicles by weekday and hour. */
  counts: readonly (readonly number[])[]
  /** Filters of the archive that find all vehicles. */
  archive: Record<string, unknown>
  period: Period
}

const AXIS = [0, 4, 8, 12, 16, 20].map((hour) => ({ at: hour + 0.5, text: String(hour).padStart(2, '0') }))

/** Mean vehicles by hour of the day. */
export function HourChart({ name, hours, earlier, earlierName, max, counts, archive, period }: Props) {
  const { t } = useTranslation('traffic')
  const { number, days } = useTrafficTexts()
  const vehicles = countsByHour(counts)
  const bars = hours.map(
    (value, hour): Bar => ({
      key: hour,
      name: `${String(hour).padStart(2, '0')}:00`,
      value,
      earlier: earlier[hour],
    }),
  )
  const known = hours.filter((value) => value !== null)
  const figure = (value: number | null | undefined) => (value == null ? MISSING : number(value))
  const extremes =
    known.length > 0 ? t('extremes', { max: number(Math.max(...known)), min: number(Math.min(...known)) }) : t('empty')
  return (
    <BarChart
      label={`${name}, ${t('vehicles-per-hour')}, ${days(period)}. ${extremes}`}
      bars={bars}
      max={max}
      axis={AXIS}
      nameOf={(bar) =>
        [bar.name, figure(bar.value), earlierName && t('previously', { value: figure(bar.earlier) })]
          .filter(Boolean)
          .join(', ')
      }
      panel={(bar, hour) => (
        <>
          {bar.name} <b>{figure(bar.value)}</b> {earlierName && t('previously', { value: figure(bar.earlier) })}
          <br />
          <ArchiveLink count={vehicles[hour] ?? 0} search={{ ...archive, hours: [hour] }} />
        </>
      )}
    />
  )
}
