type SvgPath = {
  d: string
  tone2?: boolean | undefined
  stroke?: number | undefined
  dash?: string | undefined
}

type Props = {
  parts: readonly SvgPath[]
  /** Class of the parts in the second tone. */
  tone2: string | undefined
}

/** Paths of a drawn vehicle, stroked or filled. */
export const BodyParts = ({ parts, tone2: second }: Props) =>
  parts.map(({ d, tone2, stroke, dash }) =>
    stroke ? (
      <path key={d} d={d} fill="none" stroke="currentColor" strokeWidth={stroke} strokeDasharray={dash} />
    ) : (
      <path key={d} d={d} fillRule="evenodd" className={tone2 ? second : undefined} />
    ),
  )
