import { equivalentOf, permissionNumber, rightOf } from '@rogatka/contract/access.ts'
import { useTranslation } from 'react-i18next'

type PermissionTexts = {
  number: number
  name: string
  /** What it allows. */
  description: string
}

/** Name and description of a permission. */
export function usePermissionTexts(): (permission: string) => PermissionTexts {
  const { t } = useTranslation('roles')
  return (permission) => {
    const right = rightOf(permission)
    const number = permissionNumber(permission)
    const equivalent = equivalentOf(permission)
    if (right && equivalent !== permission)
      return {
        number,
        name: t(`right-${right}`, { number }),
        description: t('right-same-as', { number: permissionNumber(equivalent) }),
      }
    return right
      ? { number, name: t(`right-${right}`, { number }), description: t(`right-${right}-gives`) }
      : { number, name: t('right-unknown'), description: t('right-unknown-gives') }
  }
}
