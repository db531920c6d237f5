import { VisuallyHidden } from '@mantine/core'
import { type CSSProperties, Fragment, type ReactNode } from 'react'
import css from './AxleDrawing.module.css'
import { AxleLoad } from './AxleLoad.tsx'
import { axleBody, axleWheel, GROUND_Y } from './axleBody.ts'
import { type AxleLayout, groupRanges, ROW_NAME_WIDTH } from './axleLayout.ts'
import { BodyParts } from './BodyParts.tsx'
import type { AxleDrawingProps, AxleLine, DrawnAxle } from './drawnAxles.ts'
import { Gauge } from './Gauge.tsx'

type Props = AxleDrawingProps & {
  row: readonly DrawnAxle[]
  /** Number of the row's first axle, from 1. */
  first: number
  layout: AxleLayout
  width: number
}

/** By how much the wheels of a lifted axle are drawn above the ground, px. */
const LIFT = 7

/** Up to seven axles in a row: the drawing, and a table column under each wheel. */
export function AxleRow(props: Props) {
  const { row, first, layout, width, axles, groups, category, trailer, texts, tonnes, metres } = props

  const { xs, columns } = layout
  const groupsInRow = groupRanges(
    groups.map((group) => group.axles),
    first,
    row.length,
  )
  const x = (index: number) => xs[index] ?? 0
  const column = (index: number) => columns[index] ?? 0
  const shape = {
    category,
    xs,
    trailer: trailer !== null && trailer >= first && trailer < first + row.length ? trailer - first : null,
    groups: groupsInRow,
    width,
    isFirst: first === 1,
    isLast: first + row.length > axles.length,
  }

  const line = (name: string, className: string | undefined, cell: (axle: DrawnAxle, column: number) => ReactNode) => (
    <tr className={className}>
      <th scope="row">{name}</th>
      {row.map((axle, index) => (
        <td key={axle.number} style={{ left: x(index), width: column(index) }}>
          {cell(axle, column(index))}
        </td>
      ))}
    </tr>
  )

  // Further rows, less the row of the wheels if it is absent.
  const furtherRows = (props.above?.length ?? 0) + (props.below?.length ?? 0) - (texts.wheels ? 0 : 1)
  const furtherLines = (lines: readonly AxleLine[] = []) =>
    lines.map(({ name, values }) => (
      <Fragment key={name}>{line(name, undefined, ({ number }) => values[number - 1] ?? '–')}</Fragment>
    ))

  return (
    <div className={css.row} style={{ '--further-lines': furtherRows } as CSSProperties}>
      {row.map(
        (axle, index) =>
          axle.status === 'over' && (
            <i key={axle.number} className={css.overColumn} style={{ left: x(index), width: column(index) }} />
          ),
      )}
      <Drawing shape={shape} row={row} />
      <table className={css.table}>
        <VisuallyHidden component="caption">{texts.title}</VisuallyHidden>
        <tbody>
          <tr className={css.gaps}>
            <th scope="row">{texts.gap}</th>
            {row.map(({ number, gap }, index) => (
              <td key={number} style={{ left: index === 0 ? x(0) : (x(index - 1) + x(index)) / 2 }}>
                {index > 0 && <b>{gap > 0 ? metres(gap) : '–'}</b>}
              </td>
            ))}
          </tr>
          {line(texts.axle, undefined, ({ number, mark }) => (
            <>
              {number}
              {mark && <b className={css.mark}>{mark}</b>}
            </>
          ))}
          {furtherLines(props.above)}
          {line(texts.load, css.loads, ({ load, limit, status, isLifted }, column) => (
            <>
              <span className={css[status]}>
                <AxleLoad axle={{ load, status, isLifted: isLifted === true }} texts={texts} tonnes={tonnes} />
              </span>
              {load !== null && limit !== null && (
                <div className={css.gauge} style={{ width: Math.min(86, column - 8) }}>
                  <Gauge measured={load} limit={limit} status={status} />
                </div>
              )}
            </>
          ))}
          {furtherLines(props.below)}
          {line(texts.limit, undefined, ({ limit, excess, status }, column) => (
            <span className={status === 'ok' ? undefined : `${css[status]} ${css.strong}`}>
              {limit === null ? '–' : tonnes(limit)}
              {excess && column > 90 && ` (${excess})`}
            </span>
          ))}
          {texts.wheels &&
            line(texts.wheels, Math.min(...columns) < 76 ? css.tight : undefined, ({ left, right }) =>
              left === null && right === null ? '–' : `${formatWheel(left, tonnes)} · ${formatWheel(right, tonnes)}`,
            )}
          <tr className={css.groups}>
            <th scope="row">{texts.group}</th>
            {groupsInRow.map(({ group, from, to }) => {
              const { text, status } = groups[group] ?? { text: '', status: 'ok' }
              const half = Math.min(40, column(from) / 2 - 3)
              return (
                <td
                  key={group}
                  colSpan={to - from + 1}
                  className={css[status]}
                  style={{ left: x(from) - half, width: x(to) - x(from) + 2 * half }}
                >
                  <span>{text}</span>
                </td>
              )
            })}
          </tr>
        </tbody>
      </table>
      <i className={css.ground} style={{ left: ROW_NAME_WIDTH, top: GROUND_Y }} />
    </div>
  )
}

const formatWheel = (kg: number | null, tonnes: (kg: number) => string) => (kg === null ? '–' : tonnes(kg))

function Drawing({ shape, row }: { shape: Parameters<typeof axleBody>[0]; row: readonly DrawnAxle[] }) {
  const { xs, width, category } = shape
  const { y, r } = axleWheel(category)
  return (
    <svg className={css.vehicle} width={width} height={122} viewBox={`0 0 ${width} 122`} aria-hidden="true">
      {axleBody(shape).map(({ parts, transform }) => (
        <g key={transform ?? 'body'} transform={transform}>
          <BodyParts parts={parts} tone2={css.tone2} />
        </g>
      ))}
      {xs.map((x, index) => (
        <g
          key={row[index]?.number}
          className={row[index]?.status === 'over' ? css.overWheel : undefined}
          transform={row[index]?.isLifted ? `translate(0 -${LIFT})` : undefined}
        >
          <circle cx={x} cy={y} r={r} />
          <circle cx={x} cy={y} r={r * 0.36} className={css.hub} />
        </g>
      ))}
      <path className={css.dimension} d={`${xs.map((x) => `M${x} 106v14`).join('')}M${xs[0]} 113H${xs.at(-1)}`} />
    </svg>
  )
}
