import { Button, Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import css from './FileMenu.module.css'
import { DownIcon, FileIcon } from './icons.tsx'
import { Spinner } from './Loading.tsx'

type Props = {
  label: string
  /** What it is called where the label alone does not tell; it contains the label. */
  name?: string
  /** A file of this menu is on its way. */
  isComing: boolean
  isDisabled: boolean
  /** Why it is disabled. */
  reason?: string | undefined
  /** Menu.Item for each kind of file. */
  children: ReactNode
}

/** A button that offers files to save, one of each kind. */
export function FileMenu({ label, name, isComing, isDisabled, reason, children }: Props) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          leftSection={
            isComing ? (
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
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
