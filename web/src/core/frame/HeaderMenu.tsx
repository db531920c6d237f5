import { Menu, type MenuProps } from '@mantine/core'
import { type ComponentProps, type ComponentType, useEffect, useRef, useState } from 'react'
import { LanguageItems } from './LanguageItems.tsx'
import { ManagementItems } from './ManagementItems.tsx'
import { SoundItems } from './SoundItems.tsx'
import { ThemeItems } from './ThemeItems.tsx'

type MenuSpec = { Items: ComponentType; position: NonNullable<MenuProps['position']> }

const MENUS = {
  language: { Items: LanguageItems, position: 'bottom-end' },
  management: { Items: ManagementItems, position: 'bottom-start' },
  sound: { Items: SoundItems, position: 'bottom-end' },
  theme: { Items: ThemeItems, position: 'bottom-end' },
} as const satisfies Record<string, MenuSpec>

export type HeaderMenuName = keyof typeof MENUS

type Props = {
  menu: HeaderMenuName
  /** The button that the menu belongs to. */
  button: ComponentProps<'button'>
}

/** Menu of the header with its button. Opens at once, as its button was pressed. */
export function HeaderMenu({ menu, button }: Props) {
  const { Items, position } = MENUS[menu]
  const [isOpen, setIsOpen] = useState(false)
  const target = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // It replaces the pressed button; the focus returns to it when the menu closes.
    target.current?.focus({ preventScroll: true })
    setIsOpen(true)
  }, [])
  return (
    <Menu position={position} opened={isOpen} onChange={setIsOpen}>
      <Menu.Target>
        <button ref={target} {...button} />
      </Menu.Target>
      <Items />
    </Menu>
  )
}
