import { VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CloseIcon, PlusIcon } from '../ui/icons.tsx'
import css from './Roles.module.css'
import { usePermissionTexts } from './usePermissionTexts.ts'

type Props = {
  permissions: readonly string[]
  /** Granted permissions: a click revokes. */
  granted: boolean
  /** Cannot be changed. */
  isLocked?: (permission: string) => boolean
  /** Granted since the role was loaded. */
  isNew?: (permission: string) => boolean
  onPress: (permission: string) => void
}

/** Permissions as tiles. A click grants or revokes one and moves the focus to its neighbour. */
export function PermissionTiles({ permissions, granted, isLocked = () => false, isNew = () => false, onPress }: Props) {
  const { t } = useTranslation('roles')
  const texts = usePermissionTexts()
  const press = (permission: string, tile: HTMLButtonElement) => {
    const neighbour = tile.parentElement?.nextElementSibling ?? tile.parentElement?.previousElementSibling
    onPress(permission)
    if (tile.matches(':focus-visible'))
      neighbour?.querySelector('button')?.focus({ focusVisible: true } as FocusOptions)
  }
  return (
    <ul className={css.tiles}>
      {permissions.map((permission) => {
        const { number, name, description } = texts(permission)
        return (
          <li key={permission}>
            <button
              type="button"
              className={css.tile}
              disabled={isLocked(permission)}
              data-granted={granted || undefined}
              data-fresh={isNew(permission) || undefined}
              onClick={(event) => press(permission, event.currentTarget)}
            >
              {!isLocked(permission) && <VisuallyHidden>{t(granted ? 'revoke' : 'grant')} </VisuallyHidden>}
              <b>{number}</b>
              <span>
                {name}
                <small>{description}</small>
              </span>
              {granted ? !isLocked(permission) && <CloseIcon /> : <PlusIcon />}
            </button>
          </li>
        )
      })}
    </ul>
  )
}
