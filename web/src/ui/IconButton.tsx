import type { ComponentProps } from 'react'
import css from './IconButton.module.css'

type Props = Omit<ComponentProps<'button'>, 'type'> & { 'aria-label': string }

/** Square button without a border; `--icon-button` sets its size. */
export const IconButton = ({ className, ...props }: Props) => (
  <button type="button" className={className ? `${css.button} ${className}` : css.button} {...props} />
)
