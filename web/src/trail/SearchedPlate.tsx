import { splitReading } from '@rogatka/domain/vehicle/reading.ts'
import { Plate } from '../ui/vehicle/Plate.tsx'
import css from './SearchedPlate.module.css'

type Props = {
  /** As searched for: a plate, a pattern, or a plate with its nationality. */
  text: string
  size?: 's' | 'm'
}

/** A plate that was searched for: drawn if its country is known. */
export function SearchedPlate({ text, size = 's' }: Props) {
  const [plate, nationality] = splitReading(text)
  if (nationality) return <Plate plate={plate} nationality={nationality} size={size} unreadable="" />
  return <b className={size === 'm' ? `${css.plate} ${css.large}` : css.plate}>{plate}</b>
}
