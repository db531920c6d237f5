import { useTicking } from '../clock.ts'
import { formatClock } from '../format.ts'
import css from './Header.module.css'

/** Hours and minutes in Warsaw, as everywhere on these screens, by the clock that the countdowns follow. */
export const Clock = () => <time className={css.clock} ref={useTicking(formatClock)} />
