import { countryOf } from '@rogatka/domain/vehicle/country.ts'
import { displayPlate } from '@rogatka/domain/vehicle/plate.ts'
import type { CSSProperties } from 'react'
import { Flag } from './Flag.tsx'
import css from './Plate.module.css'

type Props = {
  plate: string | null
  /** ISO code or distinguishing sign; null: not recognised. */
  nationality: string | null
  /** Height: s 24, m 34 (the strip), l 60 px (the detail). */
  size?: 's' | 'm' | 'l'
  /** What stands in the plate's place when it could not be read. */
  unreadable: string
}

/** Displayed characters that have place at full size, gaps included; longer plates are written smaller. */
const FULL_SIZE_LENGTH = 11

/** A number plate drawn as one, never without its country; a long one shrinks to its place. */
export function Plate({ plate, nationality, size = 'm', unreadable }: Props) {
  if (!plate) return <span className={`${css.unreadable} ${css[size]}`}>{unreadable}</span>
  const text = displayPlate(plate, nationality)
  const fit = Math.min(1, FULL_SIZE_LENGTH / text.length)
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
