import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { MISSING, useFormat } from '../core/format.ts'
import { useLocations } from '../locations/publicApi.ts'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import css from './Imports.module.css'
import type { Options, Trial } from './useImports.ts'

type Lane = Trial['lanes'][number]
type Props = { trial: Trial; options: Options; onChange: (options: Options) => void }

const NONE = ''
const keyOf = (locationId: number, laneNumber: number) => `${locationId}-${laneNumber}`

/** Stations and lanes in the file, and those of the portal that they are assigned to. */
export function LanesPanel({ trial, options, onChange }: Props) {
  const { t } = useTranslation('imports')
  const { number } = useFormat()
  const { data: stations = [] } = useLocations()
  const choices = stations.flatMap(({ id, shortName, lanes }) =>
    lanes.map(({ laneNumber }) => ({
      value: keyOf(id, laneNumber),
      label: t('station-lane', { station: shortName, lane: laneNumber }),
    })),
  )
  const nameOf = ({ station, lane }: Lane) => [station, lane].filter(Boolean).join(' · ')
  const assignedTo = ({ station, lane, locationId, laneNumber }: Lane) => {
    const chosen = options.assignments.find((one) => one.station === station && one.lane === lane)
    const to = chosen ?? { locationId, laneNumber }
    return to.locationId !== null && to.laneNumber !== null ? keyOf(to.locationId, to.laneNumber) : NONE
  }
  const assign = ({ station, lane }: Lane, value: string) => {
    const [locationId = null, laneNumber = null] = value === NONE ? [] : value.split('-').map(Number)
    const others = options.assignments.filter((one) => one.station !== station || one.lane !== lane)
    onChange({ ...options, assignments: [...others, { station, lane, locationId, laneNumber }] })
  }
  const counted = ({ locationId, laneNumber }: Lane, count: number) =>
    locationId === null || laneNumber === null ? MISSING : number(count)
  const columns: Column<Lane>[] = [
    { key: 'file', title: t('in-file'), head: true, cell: nameOf },
    {
      key: 'lane',
      title: t('station-and-lane'),
      wide: true,
      cell: (lane) => {
        const value = assignedTo(lane)
        return (
          <div className={css.assigned}>
            {value === NONE && <i className={css.diamond} aria-hidden="true" />}
            <NativeSelect
              size="xs"
              aria-label={t('assign', { name: nameOf(lane) })}
              value={value}
              data={[{ value: NONE, label: t('unassigned') }, ...choices]}
              onChange={(event) => assign(lane, event.currentTarget.value)}
            />
          </div>
        )
      },
    },
    { key: 'new', title: t('to-write'), right: true, cell: (lane) => <b>{counted(lane, lane.new)}</b> },
    { key: 'heavy', title: t('heavy'), right: true, cell: (lane) => counted(lane, lane.heavy) },
    { key: 'refused', title: t('refused'), right: true, cell: ({ refused }) => number(refused) },
  ]
  return (
    <section className={css.panel}>
      <header>
        <h2>{t('lanes')}</h2>
        <span className={css.label}>{t('lanes-hint')}</span>
      </header>
      {trial.lanes.length === 0 ? (
        <p className={css.none}>{t('no-lanes')}</p>
      ) : (
        <DataTable
          label={t('lanes')}
          columns={columns}
          rows={trial.lanes}
          keyOf={(lane) => trial.lanes.indexOf(lane)}
        />
      )}
    </section>
  )
}
