import { countryOf } from '@rogatka/domain/vehicle/country.ts'
import { flags } from './flags.ts'
import css from './Plate.module.css'

/** Flag of the plate's country; nothing for an unknown code. */
export function Flag({ code }: { code: string | null }) {
  const country = countryOf(code)
  if (!country) return null
  return <img className={css.flag} src={flags[country.iso]} alt="" decoding="sync" />
}
