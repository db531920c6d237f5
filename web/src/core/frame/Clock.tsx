import { useTicking } from '../clock.ts'
import { formatClock } from '../format.ts'
import css from './Header.module.css'

/** Hours and minutes in Polish time, by the server's clock. */
export const Clock = () => <time className={css.clock} ref={useTicking(formatClock)} />
