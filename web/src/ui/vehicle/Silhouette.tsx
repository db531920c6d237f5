import { BodyParts } from './BodyParts.tsx'
import css from './Silhouette.module.css'
import { type Layout, silhouette } from './silhouettes.ts'

type Props = {
  /** Category [8+1]; null and 6: not classified. */
  category: number | null
  layout?: Layout
  /** Numbers of overloaded axles, from 1; their wheels are red. */
  overloaded?: readonly number[]
  /** px */
  height?: number
}

/** Side view of a vehicle by category and axle layout. Decorative: a text beside it names the category. */
export function Silhouette({ category, layout, overloaded = [], height = 30 }: Props) {
  const { width, parts, wheels } = silhouette(category, layout)
  return (
    <svg
      className={css.silhouette}
      viewBox={`0 0 ${width} 32`}
      height={height}
      width={(width * height) / 32}
      aria-hidden="true"
    >
      <BodyParts parts={parts} tone2={css.tone2} />
      {wheels.map(({ x, y, r }, i) => (
        <g key={x} className={overloaded.includes(i + 1) ? css.over : undefined} data-axle={i + 1}>
          <path fillRule="evenodd" d={ring(x, y, r) + ring(x, y, r * 0.36)} />
        </g>
      ))}
    </svg>
  )
}

const ring = (x: number, y: number, r: number) =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`
