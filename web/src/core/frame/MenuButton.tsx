import { type ComponentProps, useState } from 'react'
import { lazyPart } from '../lazyPage.tsx'
import type { HeaderMenuName } from './HeaderMenu.tsx'

type ButtonProps = ComponentProps<'button'>
type Props = ButtonProps & { menu: HeaderMenuName }

const load = () => import('./HeaderMenu.tsx')
/** An import that fails is reported when the button is pressed. */
const loadAhead = () => void load().catch(() => {})
const focus = (button: HTMLButtonElement | null) => button?.focus({ preventScroll: true })

/** The pressed button while its menu is loaded. */
const ButtonPlaceholder = ({ button }: { button: ButtonProps }) => <button ref={focus} {...button} />

const HeaderMenu = lazyPart('HeaderMenu', load, { Wrapper: ButtonPlaceholder })

/** Button of the header; its menu is loaded when the button is pointed at or focused. */
export function MenuButton({ menu, ...rest }: Props) {
  const [isWanted, setIsWanted] = useState(false)
  const button: ButtonProps = { type: 'button', 'aria-haspopup': 'menu', 'aria-expanded': false, ...rest }
  if (isWanted) return <HeaderMenu menu={menu} button={button} />
  return <button {...button} onPointerEnter={loadAhead} onFocus={loadAhead} onClick={() => setIsWanted(true)} />
}
