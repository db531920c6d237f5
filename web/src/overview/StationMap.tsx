import map from 'virtual:country-map'
import { useElementSize } from '@mantine/hooks'
import { MAP_WIDTH, positionOnMap } from '@rogatka/domain/overview/countryMap.ts'
import { placeNames } from '@rogatka/domain/overview/mapNames.ts'
import { memo, useId, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { StationJoin } from '../ui/stationJoin.ts'
import { MAX_STRIPS, roadsOf } from './orderRows.ts'
import css from './StationMap.module.css'
import { type OverviewRow, type RowState, rowStateOf } from './useOverview.ts'

/** From this number of stations their discs are smaller. */
const SMALL_FROM = 60
/** Mean width of a character of a name, px; names of marked stations are bold. */
const CHARACTER = { plain: 6.8, bold: 7.2 }
/** Order of drawing: the abnormal is above. */
const ORDER: readonly RowState[] = ['working', 'unknown', 'attention', 'bad', 'wanted']

/** The drawing ends at this height, in widths. */
const MAX_HEIGHT = 2.04
/** Corners as of other surfaces, px. */
const RADIUS = 4

/** `covered`: height of what covers the top of the map, with the gap below it, px. */
type Props = { rows: readonly OverviewRow[]; isStale: boolean; join: StationJoin; covered: number }

type MapMark = { id: number; name: string; x: number; y: number; state: RowState; row: OverviewRow }

/** Map of the country with its stations. It repeats what the strips say: one image to screen readers. */
export const StationMap = memo(function StationMap({ rows, isStale, join, covered }: Props) {
  const { t } = useTranslation('overview')
  const clip = useId()
  const { ref, width, height: whole } = useElementSize()
  const height = Math.max(0, Math.min(whole - covered, MAX_HEIGHT * width))
  const scale = Math.min(width / MAP_WIDTH, height / map.height)
  const left = (width - scale * MAP_WIDTH) / 2
  const top = (height - scale * map.height) / 2
  const marks = useMemo(() => marksOf(rows, { scale, left, top }), [rows, scale, left, top])
  const isMany = rows.length > MAX_STRIPS
  const isSmall = rows.length >= SMALL_FROM
  const { joined } = join
  const named = marks.filter(({ id, state }) =>
    isMany ? joined.includes(id) && (joined.length === 1 || isMarked(state)) : true,
  )
  // The most important first; small discs may be covered.
  const names = placeNames(
    named.toReversed().map(({ id, name, x, y, state }) => {
      const width = name.length * (isMarked(state) ? CHARACTER.bold : CHARACTER.plain)
      return { id, x, y, width }
    }),
    marks.filter(({ state }) => !isMany || isMarked(state)),
    { width, height },
  )
  return (
    <div className={css.map} ref={ref} role="img" aria-label={t('map-of', { count: rows.length })}>
      {scale > 0 && (
        <svg width={width} height={whole} aria-hidden="true">
          <clipPath id={clip}>
            <rect width={width} height={height} rx={RADIUS} />
          </clipPath>
          <g transform={`translate(0 ${covered})`} clipPath={`url(#${clip})`}>
            <rect className={css.sea} width={width} height={height} rx={RADIUS} />
            <g transform={`translate(${left} ${top}) scale(${scale})`}>
              <path className={css.neighbours} d={map.neighbours} />
              <path className={css.country} d={map.country} />
            </g>
            {roadsOf(rows, false).map(({ name, rows: ofRoad }) => (
              <path key={name} className={css.road} d={lineThrough(ofRoad, marks)} />
            ))}
            {marks.map(({ id, x, y, state }) => (
              <g key={id} transform={`translate(${x} ${y})`} {...join.propsFor([id])}>
                <circle className={css.target} r={isSmall ? 6 : 12} />
                {joined.includes(id) && <circle className={css.joined} r={11} />}
                <MarkShape state={isStale ? 'unknown' : state} isSmall={isSmall} />
              </g>
            ))}
            {names.map(({ id, x, y, anchor }) => {
              const mark = marks.find((it) => it.id === id)
              return (
                <text
                  key={id}
                  x={x}
                  y={y}
                  textAnchor={anchor}
                  data-marked={(mark && isMarked(mark.state)) || undefined}
                >
                  {mark?.name}
                </text>
              )
            })}
            <rect className={css.frame} width={width} height={height} rx={RADIUS} />
          </g>
        </svg>
      )}
    </div>
  )
})

const isMarked = (state: RowState) => state !== 'working' && state !== 'unknown'

/** Stations with coordinates, in the order of drawing. */
function marksOf(
  rows: readonly OverviewRow[],
  { scale, left, top }: { scale: number; left: number; top: number },
): MapMark[] {
  return rows
    .flatMap((row): MapMark[] => {
      const { latitude, longitude, shortName } = row.location
      if (latitude === null || longitude === null) return []
      const { x, y } = positionOnMap(map, { latitude, longitude })
      return [{ id: row.id, name: shortName, x: left + scale * x, y: top + scale * y, state: rowStateOf(row), row }]
    })
    .sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state) || a.id - b.id)
}

/** Straight lines from station to station: where roads lie between them is not known. */
const lineThrough = (rows: readonly OverviewRow[], marks: readonly MapMark[]) =>
  rows
    .flatMap(({ id }) => marks.find((mark) => mark.id === id) ?? [])
    .map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`)
    .join('')

function MarkShape({ state, isSmall }: { state: RowState; isSmall: boolean }) {
  const radius = isSmall ? 2.4 : 4.5
  if (state === 'wanted')
    return (
      <g className={css.wanted}>
        <path d="M-9-6h18v12h-18z" />
        <path className={css.stripe} d="M-5 5l6-10h4l-6 10z" />
      </g>
    )
  if (state === 'bad') return <path className={css.bad} d="M0-8l8 14h-16z" />
  if (state === 'attention') return <path className={css.attention} d="M0-7l7 7-7 7-7-7z" />
  if (state === 'unknown') return <circle className={css.unknown} r={radius - 0.5} />
  return <circle className={css.working} r={radius} />
}
