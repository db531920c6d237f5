import { countryOf } from '@rogatka/domain/vehicle/country.ts'
import { displayPlate } from '@rogatka/domain/vehicle/plate.ts'
import type { CSSProperties } from 'react'
import { Flag } from './Flag.tsx'
import css from './Plate.module.css'

type Props = {
  plate: string | null
  /** ISO code or distinguishing sign; null: not recognised. */
  nationality: string | null
  /** Height: s 24, m 34 (vehicle card), l 60 px (detail page); scaled: `--plate-height` of its container. */
  size?: 's' | 'm' | 'l' | 'scaled'
  /** Text for an unreadable plate. */
  unreadable: string
}

/** Characters that fit at full size, gaps included; longer plates are scaled down. */
const FULL_SIZE_LENGTH = 11

/** Letters that take more room than others, which count on screens where nothing can be hovered. */
const WIDE = /[MW]/g
const SCALED_LENGTH = 10
const scaledLength = (text: string) => text.length + 0.4 * (text.match(WIDE)?.length ?? 0)

/** Drawing of a number plate, always with its country; long plates are scaled down. */
export function Plate({ plate, nationality, size = 'm', unreadable }: Props) {
  if (!plate) return <span className={`${css.unreadable} ${css[size]}`}>{unreadable}</span>
  const text = displayPlate(plate, nationality)
  const fit = Math.min(1, size === 'scaled' ? SCALED_LENGTH / scaledLength(text) : FULL_SIZE_LENGTH / text.length)
  const blue = countryOf(nationality)?.blueBand
  return (
    <span
      className={`${css.plate} ${css[size]}`}
      {...(fit < 1 && { style: { '--plate-fit': fit } as CSSProperties, title: text })}
    >
      <span className={blue ? `${css.band} ${css.blue}` : css.band}>
        <Flag code={nationality} />
        {nationality ?? '?'}
      </span>{' '}
      <b>{text}</b>
    </span>
  )
}
