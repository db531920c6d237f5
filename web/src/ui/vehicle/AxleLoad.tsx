import css from './AxleLoad.module.css'
import type { AxleDrawingProps, DrawnAxle } from './drawnAxles.ts'

type Props = { axle: Pick<DrawnAxle, 'load' | 'status' | 'isLifted'> } & Pick<AxleDrawingProps, 'texts' | 'tonnes'>

/** Axle load, with a triangle if it is over the limit. */
export const AxleLoad = ({ axle: { load, status, isLifted }, texts, tonnes }: Props) => (
  <>
    {status !== 'ok' && (
      <i role="img" aria-label={status === 'over' ? texts.over : texts.tolerance} className={css.triangle} />
    )}
    {load === null ? (isLifted && texts.lifted) || '–' : tonnes(load)}
  </>
)
