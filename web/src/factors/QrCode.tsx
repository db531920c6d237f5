import { encode } from 'uqr'
import css from './Factors.module.css'

/** Modules of light margin, as ISO/IEC 18004 requires. */
const MARGIN = 4

/** A QR code, dark on light in every colour scheme. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 0, ecc: 'M' })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  const width = size + 2 * MARGIN
  return (
    <svg
      className={css.qr}
      viewBox={`${-MARGIN} ${-MARGIN} ${width} ${width}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect x={-MARGIN} y={-MARGIN} width={width} height={width} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
