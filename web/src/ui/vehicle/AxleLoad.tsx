import css from './AxleLoad.module.css'
import type { AxleDrawingProps, DrawnAxle } from './drawnAxles.ts'

type Props = { axle: Pick<DrawnAxle, 'load' | 'verdict'> } & Pick<AxleDrawingProps, 'texts' | 'tonnes'>

/** Axle load, with a triangle if it is over the limit. */
export const AxleLoad = ({ axle: { load, verdict }, texts, tonnes }: Props) => (
  <>
    {verdict !== 'ok' && (
      <i role="img" aria-label={verdict === 'over' ? texts.over : texts.tolerance} className={css.triangle} />
    )}
    {load === null ? '–' : tonnes(load)}
  </>
)
