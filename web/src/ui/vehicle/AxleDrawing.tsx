import { useElementSize } from '@mantine/hooks'
import { AxleColumn } from './AxleColumn.tsx'
import css from './AxleDrawing.module.css'
import { AxleRow } from './AxleRow.tsx'
import { fixedFirstGap } from './axleBody.ts'
import { AXLES_IN_ROW, axlePlaces, axleRows, NAMES_WIDTH } from './axleLayout.ts'
import type { AxleDrawingProps } from './drawnAxles.ts'
import { HeightOutline } from './HeightOutline.tsx'

/** Assumed until the width is measured. */
const USUAL_WIDTH = 1376

/**
 * Height profile, and below it the axles to scale with the values under each wheel. Where the values would overlap, the
 * axles run from top to bottom in plan view.
 */
export function AxleDrawing(props: AxleDrawingProps) {
  const { ref, width } = useElementSize()
  const rows = axleRows(props.axles)
  const places = rows.map((row) =>
    axlePlaces(
      row.map(({ gap }) => gap),
      width || USUAL_WIDTH,
      row === rows[0] ? fixedFirstGap(props.category) : undefined,
    ),
  )
  const isAcross = places.every(({ fits }) => fits)
  return (
    <div ref={ref} className={css.drawing}>
      {props.outline && (
        <HeightOutline
          {...props.outline}
          gaps={props.axles.map(({ gap }) => gap)}
          left={isAcross ? NAMES_WIDTH : 0}
          width={width || USUAL_WIDTH}
          xs={(isAcross && places[0]?.xs) || []}
        />
      )}
      {props.axles.length === 0 ? null : isAcross ? (
        rows.map((row, i) => (
          <AxleRow
            key={row[0]?.number}
            {...props}
            row={row}
            first={i * AXLES_IN_ROW + 1}
            places={places[i] as (typeof places)[number]}
            width={width || USUAL_WIDTH}
          />
        ))
      ) : (
        <AxleColumn {...props} />
      )}
    </div>
  )
}
