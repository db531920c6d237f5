import type { ComponentPropsWithoutRef } from 'react'
import css from './LinkButton.module.css'

/** Button that looks like a link, for example "wszystkie". */
export const LinkButton = (props: Omit<ComponentPropsWithoutRef<'button'>, 'type' | 'className'>) => (
  <button {...props} type="button" className={css.link} />
)
