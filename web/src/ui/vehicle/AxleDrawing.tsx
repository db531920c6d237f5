import { useElementSize } from '@mantine/hooks'
import { AxleColumn } from './AxleColumn.tsx'
import css from './AxleDrawing.module.css'
import { AxleRow } from './AxleRow.tsx'
import { fixedFirstGap } from './axleBody.ts'
import { AXLES_PER_ROW, axleRows, layOutAxles, ROW_NAME_WIDTH } from './axleLayout.ts'
import type { AxleDrawingProps } from './drawnAxles.ts'
import { HeightOutline } from './HeightOutline.tsx'

/** Assumed until the width is measured. */
const DEFAULT_WIDTH = 1376

/**
 * Height profile, and below it the axles to scale with the values under each wheel. Where the values would overlap, the
 * axles run from top to bottom in plan view.
 */
export function AxleDrawing(props: AxleDrawingProps) {
  const { ref, width } = useElementSize()
  const rows = axleRows(props.axles)
  const layouts = rows.map((row) =>
    layOutAxles(
      row.map(({ gap }) => gap),
      width || DEFAULT_WIDTH,
      row === rows[0] ? fixedFirstGap(props.category) : undefined,
    ),
  )
  const isHorizontal = layouts.every(({ fits }) => fits)
  return (
    <div ref={ref} className={css.drawing}>
      {props.outline && (
        <HeightOutline
          {...props.outline}
          gaps={props.axles.map(({ gap }) => gap)}
          left={isHorizontal ? ROW_NAME_WIDTH : 0}
          width={width || DEFAULT_WIDTH}
          xs={(isHorizontal && layouts[0]?.xs) || []}
        />
      )}
      {props.axles.length === 0 ? null : isHorizontal ? (
        rows.map((row, i) => (
          <AxleRow
            key={row[0]?.number}
            {...props}
            row={row}
            first={i * AXLES_PER_ROW + 1}
            layout={layouts[i] as (typeof layouts)[number]}
            width={width || DEFAULT_WIDTH}
          />
        ))
      ) : (
        <AxleColumn {...props} />
      )}
    </div>
  )
}
