import css from './HeightOutline.module.css'
import { outlinePoints } from './outline.ts'

/** Height profile by the scanner above the road, with its texts. */
export type Outline = {
  /** cm at equal distances, front to rear. */
  samples: readonly number[]
  /** cm; null: not measured. */
  length: number | null
  /** cm; null: none. */
  limit: number | null
  title: string
  /** Label of the limit line. */
  limitText: string | null
  /** Formats cm in the displayed unit. */
  metres: (cm: number) => string
}

const HEIGHT = 56
/** px above the highest point, for the label of the limit. */
const LABEL_HEIGHT = 16

type Props = Outline & { gaps: readonly number[]; left: number; width: number; xs: readonly number[] }

/** Height profile above the axles; the part over the limit is red. */
export function HeightOutline({ samples, length, limit, title, limitText, metres, gaps, left, width, xs }: Props) {
  const highest = Math.max(...samples)
  const groundY = LABEL_HEIGHT + HEIGHT
  const y = (cm: number) => groundY - (cm / Math.max(highest, limit ?? 0, 1)) * HEIGHT
  const points = outlinePoints({ samples, length, gaps }, { left, width, xs })
  const line = points.map(([x, cm]) => `${x.toFixed(1)} ${y(cm).toFixed(1)}`).join('L')
  const [start = left] = points[0] ?? []
  const [end = width] = points.at(-1) ?? []
  const isOver = limit !== null && highest > limit
  return (
    <figure className={css.outline}>
      <figcaption className={left > 0 ? css.beside : css.above}>
        {title} <b className={isOver ? css.red : undefined}>{metres(highest)}</b>
      </figcaption>
      <svg width={width} height={groundY + 1} viewBox={`0 0 ${width} ${groundY + 1}`} aria-hidden="true">
        <path className={css.body} d={`M${start} ${groundY}L${line}L${end} ${groundY}Z`} />
        <path className={css.line} d={`M${line}`} />
        <path className={css.ground} d={`M${left} ${groundY}H${width}`} />
        {limit !== null && (
          <>
            <path className={isOver ? `${css.limit} ${css.over}` : css.limit} d={`M${left} ${y(limit)}H${width}`} />
            <text
              className={isOver ? css.overText : css.text}
              x={width - 4}
              y={y(Math.max(limit, highest)) - 4}
              textAnchor="end"
            >
              {limitText}
            </text>
          </>
        )}
      </svg>
    </figure>
  )
}
