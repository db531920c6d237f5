import css from './Weighing.module.css'

type Props = { axles: number; isTwin: boolean; isOver: boolean }

/** An axle, or those of a group, seen from above. Decorative: its number is shown beside it. */
export function AxleFromAbove({ axles, isTwin, isOver }: Props) {
  if (axles === 0) return <span />
  const drawn = Math.min(axles, 4)
  const step = 56 / drawn
  return (
    <svg className={isOver ? `${css.axle} ${css.axleOver}` : css.axle} viewBox="0 0 56 28" aria-hidden="true">
      {axles === 1 ? (
        <>
          <path className={css.shaft} d="M8 11.5h40v5H8Z" />
          <path d="M0 0h9v28H0ZM47 0h9v28h-9Z" />
          {isTwin && <path d="M11 0h5v28h-5ZM40 0h5v28h-5Z" />}
        </>
      ) : (
        Array.from({ length: drawn }, (_, at) => at * step + 1).map((x) => (
          <path key={x} d={`M${x} 0h${step - 3}v9h-${step - 3}ZM${x} 19h${step - 3}v9h-${step - 3}Z`} />
        ))
      )}
    </svg>
  )
}
