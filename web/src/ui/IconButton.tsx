import type { ComponentProps } from 'react'
import button from './bareButton.module.css'
import css from './IconButton.module.css'

type Props = Omit<ComponentProps<'button'>, 'type'> & { 'aria-label': string }

/** Square button without a border; `--icon-button` sets its size. */
export const IconButton = ({ className, ...props }: Props) => (
  <button type="button" className={[button.bare, css.button, className].filter(Boolean).join(' ')} {...props} />
)
