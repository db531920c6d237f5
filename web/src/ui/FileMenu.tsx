import { Button, Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import css from './FileMenu.module.css'
import { DownIcon, FileIcon } from './icons.tsx'
import { Spinner } from './Loading.tsx'

type Props = {
  label: string
  /** Accessible name where the label alone is ambiguous; must contain the label. */
  name?: string
  /** A file of this menu is being prepared. */
  isPreparing: boolean
  isDisabled: boolean
  /** Why it is disabled, as a tooltip. */
  reason?: string | undefined
  /** Menu.Item for each kind of file. */
  children: ReactNode
}

/** Menu button that offers a download in several file types. */
export function FileMenu({ label, name, isPreparing, isDisabled, reason, children }: Props) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          leftSection={
            isPreparing ? (
              <Spinner size={16} />
            ) : (
              <span className={css.icon}>
                <FileIcon />
              </span>
            )
          }
          rightSection={<DownIcon />}
          disabled={isDisabled}
          title={reason}
          {...(name && { 'aria-label': name })}
        >
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={css.menu ?? ''}>{children}</Menu.Dropdown>
    </Menu>
  )
}
