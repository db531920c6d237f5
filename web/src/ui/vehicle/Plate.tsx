import { displayPlate } from '@rogatka/domain/vehicle/plate.ts'
import { country } from './countries.ts'
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

/** A number plate drawn as one: never cut, never without its country. */
export function Plate({ plate, nationality, size = 'm', unreadable }: Props) {
  if (!plate) return <span className={`${css.unreadable} ${css[size]}`}>{unreadable}</span>
  const blue = country(nationality)?.blueBand
  return (
    <span className={`${css.plate} ${css[size]}`}>
      <span className={blue ? `${css.band} ${css.blue}` : css.band}>
        <Flag code={nationality} />
        {nationality ?? '?'}
      </span>{' '}
      <b>{displayPlate(plate, nationality)}</b>
    </span>
  )
}
