import { countryOf } from '@rogatka/domain/vehicle/country.ts'
import { flags } from './flags.ts'
import css from './Plate.module.css'

/** The flag of a plate's country; nothing when the code names none that we know. */
export function Flag({ code }: { code: string | null }) {
  const country = countryOf(code)
  if (!country) return null
  const Picture = flags[country.iso]
  return <Picture className={css.flag} aria-hidden="true" />
}
