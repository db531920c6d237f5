import { VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import css from './AxleDrawing.module.css'
import { AxleLoad } from './AxleLoad.tsx'
import { axleBody, axleWheel, GROUND } from './axleBody.ts'
import { type AxlePlaces, groupSpans, NAMES_WIDTH } from './axleLayout.ts'
import { BodyParts } from './BodyParts.tsx'
import type { AxleDrawingProps, DrawnAxle } from './drawnAxles.ts'
import { Gauge } from './Gauge.tsx'

type Props = AxleDrawingProps & {
  row: readonly DrawnAxle[]
  /** Number of the row's first axle, from 1. */
  first: number
  places: AxlePlaces
  width: number
}

/** Up to seven axles in a row: the drawing, and a table column under each wheel. */
export function AxleRow({ row, first, places, width, axles, groups, category, trailer, texts, tonnes, metres }: Props) {
  const { xs, columns } = places
  const spans = groupSpans(
    groups.map((group) => group.axles),
    first,
    row.length,
  )
  const x = (place: number) => xs[place] ?? 0
  const column = (place: number) => columns[place] ?? 0
  const shape = {
    category,
    xs,
    trailer: trailer !== null && trailer >= first && trailer < first + row.length ? trailer - first : null,
    runs: spans,
    width,
    begins: first === 1,
    ends: first + row.length > axles.length,
  }

  const line = (name: string, className: string | undefined, cell: (axle: DrawnAxle, column: number) => ReactNode) => (
    <tr className={className}>
      <th scope="row">{name}</th>
      {row.map((axle, place) => (
        <td key={axle.number} style={{ left: x(place), width: column(place) }}>
          {cell(axle, column(place))}
        </td>
      ))}
    </tr>
  )

  return (
    <div className={css.row}>
      {row.map(
        (axle, place) =>
          axle.verdict === 'over' && (
            <i key={axle.number} className={css.overColumn} style={{ left: x(place), width: column(place) }} />
          ),
      )}
      <Drawing shape={shape} row={row} />
      <table className={css.table}>
        <VisuallyHidden component="caption">{texts.title}</VisuallyHidden>
        <tbody>
          <tr className={css.gaps}>
            <th scope="row">{texts.gap}</th>
            {row.map(({ number, gap }, place) => (
              <td key={number} style={{ left: place === 0 ? x(0) : (x(place - 1) + x(place)) / 2 }}>
                {place > 0 && <b>{gap > 0 ? metres(gap) : '–'}</b>}
              </td>
            ))}
          </tr>
          {line(texts.axle, undefined, ({ number, mark }) => (
            <>
              {number}
              {mark && <b className={css.mark}>{mark}</b>}
            </>
          ))}
          {line(texts.load, css.loads, ({ load, limit, verdict }, column) => (
            <>
              <span className={css[verdict]}>
                <AxleLoad axle={{ load, verdict }} texts={texts} tonnes={tonnes} />
              </span>
              {load !== null && limit !== null && (
                <div className={css.gauge} style={{ width: Math.min(86, column - 8) }}>
                  <Gauge measured={load} limit={limit} verdict={verdict} />
                </div>
              )}
            </>
          ))}
          {line(texts.limit, undefined, ({ limit, excess, verdict }, column) => (
            <span className={verdict === 'ok' ? undefined : `${css[verdict]} ${css.strong}`}>
              {limit === null ? '–' : tonnes(limit)}
              {excess && column > 90 && ` (${excess})`}
            </span>
          ))}
          {line(texts.wheels, Math.min(...columns) < 76 ? css.tight : undefined, ({ left, right }) =>
            left === null && right === null ? '–' : `${side(left, tonnes)} · ${side(right, tonnes)}`,
          )}
          <tr className={css.groups}>
            <th scope="row">{texts.group}</th>
            {spans.map(({ group, from, to }) => {
              const { text, verdict } = groups[group] ?? { text: '', verdict: 'ok' }
              const half = Math.min(40, column(from) / 2 - 3)
              return (
                <td
                  key={group}
                  colSpan={to - from + 1}
                  className={css[verdict]}
                  style={{ left: x(from) - half, width: x(to) - x(from) + 2 * half }}
                >
                  <span>{text}</span>
                </td>
              )
            })}
          </tr>
        </tbody>
      </table>
      <i className={css.ground} style={{ left: NAMES_WIDTH, top: GROUND }} />
    </div>
  )
}

const side = (kg: number | null, tonnes: (kg: number) => string) => (kg === null ? '–' : tonnes(kg))

function Drawing({ shape, row }: { shape: Parameters<typeof axleBody>[0]; row: readonly DrawnAxle[] }) {
  const { xs, width, category } = shape
  const { y, r } = axleWheel(category)
  return (
    <svg className={css.picture} width={width} height={122} viewBox={`0 0 ${width} 122`} aria-hidden="true">
      {axleBody(shape).map(({ parts, transform }) => (
        <g key={transform ?? 'body'} transform={transform}>
          <BodyParts parts={parts} tone2={css.tone2} />
        </g>
      ))}
      {xs.map((x, place) => (
        <g key={row[place]?.number} className={row[place]?.verdict === 'over' ? css.overWheel : undefined}>
          <circle cx={x} cy={y} r={r} />
          <circle cx={x} cy={y} r={r * 0.36} className={css.hub} />
        </g>
      ))}
      <path className={css.dimension} d={`${xs.map((x) => `M${x} 106v14`).join('')}M${xs[0]} 113H${xs.at(-1)}`} />
    </svg>
  )
}
