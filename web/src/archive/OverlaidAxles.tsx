import { VisuallyHidden } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { compareDetections } from '@rogatka/domain/archive/comparison.ts'
import { firstTrailerAxle } from '@rogatka/domain/vehicle/axleRoles.ts'
import { kindOf } from '@rogatka/domain/vehicle/kind.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../core/format.ts'
import { axleBody, axleWheel, fixedFirstGap, GROUND_Y } from '../ui/vehicle/axleBody.ts'
import { groupRanges, layOutAxles, ROW_NAME_WIDTH, TYPICAL_GAP_CM } from '../ui/vehicle/axleLayout.ts'
import { BodyParts } from '../ui/vehicle/BodyParts.tsx'
import { overloadedAxles } from '../vehicle/publicApi.ts'
import css from './OverlaidAxles.module.css'

/** Assumed until the width is measured. */
const DEFAULT_WIDTH = 900
/** Figures of narrower columns would touch. */
const MIN_COLUMN = 44
/** The figures of narrower columns are smaller. */
const WIDE_COLUMN = 56
/** Differences from this one are bold, kg. */
const STRONG_DIFFERENCE = 1_500

type Props = { a: WireVehicle; b: WireVehicle }

const gapsOf = ({ axles = [] }: WireVehicle) =>
  axles.map(({ gap }, at) => (at === 0 ? 0 : gap > 0 ? gap : TYPICAL_GAP_CM))
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** Axle centres of both detections on the scale of the longer one, the first axles below each other. */
function layOut(a: WireVehicle, b: WireVehicle, width: number) {
  const longer = sum(gapsOf(a)) >= sum(gapsOf(b)) ? a : b
  const { xs } = layOutAxles(gapsOf(longer), width, fixedFirstGap(longer.ctg8p1))
  const [first = 0, last = 0] = [xs[0], xs.at(-1)]
  const scale = xs.length > 1 ? (last - first) / sum(gapsOf(longer)) : 0
  const centres = (vehicle: WireVehicle) => {
    let x = first
    return gapsOf(vehicle).map((gap) => {
      x += gap * scale
      return x
    })
  }
  return { a: centres(a), b: centres(b) }
}

/** The axles of two detections on one line: A solid, B dashed; below the wheels the loads and their difference. */
export function OverlaidAxles({ a, b }: Props) {
  const { t } = useTranslation('archive')
  const { ref, width: measured } = useElementSize()
  const width = measured || DEFAULT_WIDTH
  const axlesA = a.axles ?? []
  const axlesB = b.axles ?? []
  if (axlesA.length === 0 || axlesB.length === 0) return <p className={css.none}>{t('history-no-axles')}</p>
  const xs = layOut(a, b, width)
  const columns = xs.a.length >= xs.b.length ? xs.a : xs.b
  const narrowest = Math.min(...columns.slice(1).map((x, at) => x - (columns[at] ?? 0)))
  const fits = narrowest >= MIN_COLUMN
  return (
    <section className={css.axles} aria-label={t('history-overlaid')}>
      <header>
        <h2>{t('history-overlaid')}</h2>
        <span>{t('history-overlaid-hint')}</span>
        {axlesA.length !== axlesB.length && (
          <span>{t('history-axle-numbers', { a: axlesA.length, b: axlesB.length })}</span>
        )}
      </header>
      <div ref={ref} className={css.drawing}>
        {fits && (
          <svg width={width} height={GROUND_Y + 2} viewBox={`0 0 ${width} ${GROUND_Y + 2}`} aria-hidden="true">
            <Outline vehicle={a} xs={xs.a} width={width} />
            <Outline vehicle={b} xs={xs.b} width={width} isDashed />
            <path className={css.ground} d={`M${ROW_NAME_WIDTH} ${GROUND_Y + 1}H${width}`} />
          </svg>
        )}
        <Loads a={a} b={b} columns={fits ? columns : null} isTight={narrowest < WIDE_COLUMN} />
      </div>
    </section>
  )
}

type OutlineProps = { vehicle: WireVehicle; xs: number[]; width: number; isDashed?: boolean }

function Outline({ vehicle, xs, width, isDashed = false }: OutlineProps) {
  const { ctg8p1, ctg323, axles = [], axlesComplex } = vehicle
  const groups = groupRanges(axlesComplex?.axlesGroups.map((group) => group.axles) ?? [], 1, axles.length)
  const trailer = firstTrailerAxle({ kind: kindOf(ctg8p1, ctg323), gaps: axles.map(({ gap }) => gap) })
  const over = overloadedAxles(vehicle)
  const { y, r } = axleWheel(ctg8p1)
  return (
    <g className={isDashed ? css.dashed : css.solid}>
      {axleBody({
        category: ctg8p1,
        xs,
        trailer: trailer === null ? null : trailer - 1,
        groups,
        width,
        isFirst: true,
        isLast: true,
      }).map(({ parts, transform }) => (
        <g key={transform ?? 'body'} className={css.body} transform={transform}>
          <BodyParts parts={parts} tone2={css.tone2} />
        </g>
      ))}
      {xs.map((x, at) => (
        <g key={x} className={over.includes(at + 1) ? css.over : undefined}>
          <circle cx={x} cy={y} r={r} />
          {!isDashed && <circle cx={x} cy={y} r={r * 0.36} className={css.hub} />}
        </g>
      ))}
    </g>
  )
}

type LoadsProps = Props & {
  /** x of the columns; null: they do not fit, the axles are rows. */
  columns: number[] | null
  isTight: boolean
}

/** A real table: columns under the wheels, or a row for each axle. */
function Loads({ a, b, columns, isTight }: LoadsProps) {
  const { t } = useTranslation('archive')
  const { tonnes } = useFormat()
  const { axles: differences } = compareDetections(a, b)
  const over = overloadedAxles(a)
  const loadsOf = ({ totalLoad, axles = [] }: WireVehicle) =>
    totalLoad === null ? [] : axles.map((axle) => axle.totalLoad)
  const count = Math.max(a.axles?.length ?? 0, b.axles?.length ?? 0)
  const numbers = Array.from({ length: count }, (_, at) => at + 1)
  const difference = (axle: number) => {
    const value = differences?.[axle - 1]
    if (value === undefined) return '–'
    const text = `${value > 0 ? '+' : ''}${tonnes(value)}`
    return Math.abs(value) >= STRONG_DIFFERENCE ? <b>{text}</b> : text
  }
  const lines: { key: string; name: string; cell: (axle: number) => ReactNode; isRed?: (axle: number) => boolean }[] = [
    {
      key: 'a',
      name: t('history-load', { side: 'A' }),
      cell: (axle) => tonnes(loadsOf(a)[axle - 1]),
      isRed: (axle) => over.includes(axle),
    },
    { key: 'b', name: t('history-load', { side: 'B' }), cell: (axle) => tonnes(loadsOf(b)[axle - 1]) },
    { key: 'difference', name: t('history-difference'), cell: difference },
  ]
  const classOf = (key: string, isRed: boolean | undefined) => (isRed ? `${css[key]} ${css.red}` : css[key])
  const caption = <VisuallyHidden component="caption">{t('history-overlaid')}</VisuallyHidden>
  if (columns)
    return (
      <table className={isTight ? `${css.under} ${css.tight}` : css.under}>
        {caption}
        <tbody>
          <tr>
            <th scope="row">{t('vehicle:axle')}</th>
            {numbers.map((axle) => (
              <th key={axle} scope="col" className={css.place} style={{ left: columns[axle - 1] }}>
                {axle}
              </th>
            ))}
          </tr>
          {lines.map(({ key, name, cell, isRed }) => (
            <tr key={key} className={css[key]}>
              <th scope="row">{name}</th>
              {numbers.map((axle) => (
                <td key={axle} className={classOf('place', isRed?.(axle))} style={{ left: columns[axle - 1] }}>
                  {cell(axle)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    )
  return (
    <table className={css.rows}>
      {caption}
      <thead>
        <tr>
          <th scope="col">{t('vehicle:axle')}</th>
          {lines.map(({ key, name }) => (
            <th key={key} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {numbers.map((axle) => (
          <tr key={axle}>
            <th scope="row">{axle}</th>
            {lines.map(({ key, cell, isRed }) => (
              <td key={key} className={classOf(key, isRed?.(axle))}>
                {cell(axle)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
