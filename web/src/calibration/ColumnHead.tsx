import { Tooltip } from '@mantine/core'
import css from './Result.module.css'

/** The name of a column, which tells what it means: under the pointer, a finger or the keyboard. */
export const ColumnHead = ({ name, about }: { name: string; about: string }) => (
  <Tooltip label={about} multiline w={300} events={{ hover: true, focus: true, touch: true }} withArrow>
    <button type="button" className={css.about}>
      {name}
    </button>
  </Tooltip>
)
