import { country } from './countries.ts'
import css from './Plate.module.css'

/** The flag of a plate's country; nothing when the code names none that we know. */
export function Flag({ code }: { code: string | null }) {
  const found = country(code)
  return found && <found.Flag className={css.flag} aria-hidden="true" />
}
