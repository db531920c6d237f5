import type { Language } from '@rogatka/contract/languages.ts'
import type { Axle, AxlesGroup, Vehicle } from '@rogatka/contract/vehicle.ts'
import { categoryName, type DataColumn, type RowBatches } from '../reports/public-api.ts'
import { archiveTexts } from './texts.ts'

/*
 * Vehicles with axles, wheels and groups, for calculation: without plates, and with names of columns that do not depend
 * on the language.
 */

/** Axles and groups with columns of their own in a row for each vehicle; further ones share a column. */
const AXLES = 12
const GROUPS = 6
/** Time and number. */
export const FROZEN_LOAD_COLUMNS = 2

/** An axle of a vehicle: its index. */
export type AxleRow = { vehicle: Vehicle; at: number }

/** One row for each axle; none for a vehicle without weights. */
export async function* toAxleRows(batches: RowBatches<Vehicle>): AsyncGenerator<AxleRow[]> {
  for await (const batch of batches)
    yield batch.flatMap((vehicle) => (vehicle.axles ?? []).map((_, at) => ({ vehicle, at })))
}

type Field<Part> = {
  name: string
  title: string
  value: (part: Part, vehicle: Vehicle) => number | null
  decimals?: number
}
type Texts = ReturnType<typeof archiveTexts>

/** The judged lower bound; null without an accuracy class, by which nothing is judged. */
const minOf = ({ minTotalLoad }: { minTotalLoad: number }, { lane }: Vehicle) =>
  lane.accuracyClass ? minTotalLoad : null

/** Null of what was not judged, which 0 would call within its limit. */
const excessOf = ({ overload }: { overload: number }, { overloadTL }: Vehicle) =>
  overloadTL === null ? null : overload

/** Load, lower bound, limit and excess of an axle, a group or a vehicle. */
const judged = <
  Part extends { totalLoad: number; minTotalLoad: number; limitTotalLoad: number | null; overload: number },
>({
  loads,
}: Texts): Field<Part>[] => [
  { name: 'kg', title: loads.load, value: ({ totalLoad }) => totalLoad },
  { name: 'min_kg', title: loads.min, value: minOf },
  { name: 'limit_kg', title: loads.limit, value: ({ limitTotalLoad }) => limitTotalLoad },
  { name: 'excess_percent', title: loads.excess, value: excessOf, decimals: 1 },
]

const axleFields = (texts: Texts): Field<Axle>[] => [
  { name: 'left_kg', title: texts.loads.left, value: ({ leftWeight }) => leftWeight },
  { name: 'right_kg', title: texts.loads.right, value: ({ rightWeight }) => rightWeight },
  ...judged<Axle>(texts),
]

const groupFields = (texts: Texts): Field<AxlesGroup>[] => [
  { name: 'axles', title: texts.loads.axles, value: ({ axles }) => axles.length },
  ...judged<AxlesGroup>(texts),
]

/** Columns of the vehicle, which every row has. */
function vehicleColumns<Row extends { vehicle: Vehicle }>(language: Language): DataColumn<Row>[] {
  const { columns, ranges } = archiveTexts(language)
  const column = (
    name: string,
    title: string,
    width: number,
    value: (vehicle: Vehicle) => ReturnType<DataColumn<Row>['value']>,
    decimals = 0,
  ): DataColumn<Row> => ({ name, title, width, decimals, value: ({ vehicle }) => value(vehicle) })
  const min = ({ axlesComplex, ...vehicle }: Vehicle) =>
    axlesComplex ? minOf(axlesComplex, { axlesComplex, ...vehicle }) : null
  return [
    column('time', columns.createdAt, 19, (v) => v.createdAt),
    column('vehicle_id', columns.id, 16, (v) => v.id),
    column('station_id', archiveTexts(language).loads.stationId, 9, (v) => v.location.id),
    column('station', columns.station, 22, (v) => v.location.shortName),
    column('road', columns.road, 9, (v) => v.location.roadNumber),
    column('chainage', columns.chainage, 11, (v) => v.location.chainage),
    column('direction', columns.direction, 16, (v) => v.location.direction),
    column('lane', columns.lane, 6, (v) => v.lane.laneNumber),
    column('category_8p1', columns.ctg8p1, 11, (v) => v.ctg8p1),
    column('category', columns.category, 21, (v) => categoryName(v.ctg8p1, language)),
    column('category_cost323', columns.ctg323, 12, (v) => v.ctg323),
    column('speed_kmh', ranges.Speed, 11, (v) => v.speed),
    column('length_cm', ranges.VehLength, 10, (v) => v.vehLength),
    column('axles', ranges.NumberOfAxles, 8, (v) => v.numberOfAxles),
    column('accuracy_class', columns.accuracy, 12, (v) => v.lane.accuracyClass?.name ?? null),
    column('gross_kg', ranges.TotalLoad, 11, (v) => v.totalLoad),
    column('gross_min_kg', columns.minTotalLoad, 10, min),
    column('gross_limit_kg', columns.limitTotalLoad, 13, (v) => v.limitTotalLoad),
    column('gross_excess_percent', ranges.OverloadTL, 12, (v) => v.overloadTL, 1),
  ]
}

const groupAt = ({ axlesComplex }: Vehicle, axle: number) => {
  const groups = axlesComplex?.axlesGroups ?? []
  const at = groups.findIndex(({ axles }) => axles.includes(axle + 1))
  return { number: at < 0 ? null : at + 1, group: groups[at] }
}

/** Columns of an axle or a group of a row. */
const partColumns = <Row extends { vehicle: Vehicle }, Part>(
  kind: string,
  title: string,
  fields: readonly Field<Part>[],
  find: (row: Row) => Part | undefined,
): DataColumn<Row>[] =>
  fields.map((field) => ({
    name: `${kind}_${field.name}`,
    title: `${title}: ${field.title}`,
    width: 12,
    decimals: field.decimals ?? 0,
    value: (row) => {
      const part = find(row)
      return part === undefined ? null : field.value(part, row.vehicle)
    },
  }))

/** Columns of a row for each axle. */
export function axleColumns(language: Language): DataColumn<AxleRow>[] {
  const texts = archiveTexts(language)
  const { loads } = texts
  const axle = ({ vehicle, at }: AxleRow) => vehicle.axles?.[at]
  const column = (name: string, title: string, width: number, value: (row: AxleRow) => number | null) => ({
    name,
    title,
    width,
    value,
  })
  return [
    ...vehicleColumns<AxleRow>(language),
    column('axle', loads.axle, 6, ({ at }) => at + 1),
    column('spacing_cm', loads.spacing, 10, (row) => (row.at === 0 ? null : (axle(row)?.gap ?? null))),
    ...partColumns('axle', loads.axle, axleFields(texts), axle),
    column('group', loads.group, 7, ({ vehicle, at }) => groupAt(vehicle, at).number),
    ...partColumns('group', loads.group, groupFields(texts), ({ vehicle, at }: AxleRow) => groupAt(vehicle, at).group),
  ]
}

type LoadRow = { vehicle: Vehicle }

/** Columns of a row for each vehicle; `printed`: those of the vehicle, which fit a page. */
export function loadColumns(language: Language): { columns: DataColumn<LoadRow>[]; printed: number } {
  const texts = archiveTexts(language)
  const spacing: Field<Axle> = { name: 'spacing_cm', title: texts.loads.spacing, value: ({ gap }) => gap }
  const vehicle = vehicleColumns<LoadRow>(language)
  const axles = Array.from({ length: AXLES }, (_, at) =>
    partColumns(
      `axle${at + 1}`,
      `${texts.loads.axle} ${at + 1}`,
      // The first axle has no spacing.
      [...(at > 0 ? [spacing] : []), ...axleFields(texts)],
      ({ vehicle }: LoadRow) => vehicle.axles?.[at],
    ),
  )
  const groups = Array.from({ length: GROUPS }, (_, at) =>
    partColumns(
      `group${at + 1}`,
      `${texts.loads.group} ${at + 1}`,
      groupFields(texts),
      ({ vehicle }: LoadRow) => vehicle.axlesComplex?.axlesGroups[at],
    ),
  )
  const more = (name: string, title: string, parts: (vehicle: Vehicle) => readonly { totalLoad: number }[]) => ({
    name,
    title,
    width: 16,
    value: ({ vehicle }: LoadRow) =>
      parts(vehicle)
        .map(({ totalLoad }) => totalLoad)
        .join(' ') || null,
  })
  const others = [
    more('more_axles_kg', texts.loads['more-axles'], ({ axles }) => axles?.slice(AXLES) ?? []),
    more(
      'more_groups_kg',
      texts.loads['more-groups'],
      ({ axlesComplex }) => axlesComplex?.axlesGroups.slice(GROUPS) ?? [],
    ),
  ]
  return { columns: [...vehicle, ...axles.flat(), ...groups.flat(), ...others], printed: vehicle.length }
}
