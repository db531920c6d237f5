import { Tooltip } from '@mantine/core'
import css from './Result.module.css'

/** Column header with a tooltip that explains the column. */
export const ColumnHeader = ({ name, description }: { name: string; description: string }) => (
  <Tooltip label={description} multiline w={300} events={{ hover: true, focus: true, touch: true }} withArrow>
    <button type="button" className={css.about}>
      {name}
    </button>
  </Tooltip>
)
