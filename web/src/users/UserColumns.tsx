import { Button } from '@mantine/core'
import type { WireUser } from '@rogatka/contract/users.ts'
import { useTranslation } from 'react-i18next'
import { formatDateTime, MISSING } from '../core/format.ts'
import { useSelf } from '../core/useSelf.ts'
import { Badge } from '../ui/Badge.tsx'
import type { Column } from '../ui/DataTable.tsx'
import { PencilIcon } from '../ui/icons.tsx'
import { phoneParts } from '../ui/phone.ts'
import { StatusMark } from '../ui/StatusMark.tsx'
import css from './Users.module.css'

const phone = (phoneNumber: string | null) => {
  if (!phoneNumber) return MISSING
  const { prefix, number } = phoneParts(phoneNumber)
  return `${prefix} ${number}`
}

const fullName = ({ firstName, lastName }: WireUser) => [firstName, lastName].filter(Boolean).join(' ')

/** Columns of the user table. */
export function useUserColumns(onEdit: (id: number) => void): Column<WireUser>[] {
  const { t } = useTranslation('users')
  const { data: self } = useSelf()
  const yes = (value: boolean) => t(value ? 'ui:yes' : 'ui:no')
  return [
    {
      key: 'username',
      title: t('ui:username'),
      head: true,
      cell: ({ id, username, provider, linkedProvider }) => (
        <>
          {username}
          {id === self?.id && <Badge own>{t('self')}</Badge>}
          {provider !== null && <small className={css.provider}>{t('account-of', { provider })}</small>}
          {linkedProvider !== null && (
            <small className={css.provider}>{t('linked-to', { provider: linkedProvider })}</small>
          )}
        </>
      ),
    },
    { key: 'name', title: t('full-name'), cell: (user) => fullName(user) || MISSING },
    { key: 'email', title: t('ui:email'), cell: ({ email }) => email ?? MISSING },
    { key: 'phone', title: t('ui:phone'), cell: ({ phoneNumber }) => phone(phoneNumber) },
    { key: 'role', title: t('role'), cell: ({ roles }) => roles[0]?.name ?? MISSING },
    {
      key: 'enabled',
      title: t('account'),
      cell: ({ enabled }) => (
        <span className={css.status}>
          <StatusMark status={enabled ? 'available' : 'unavailable'} />
          {t(enabled ? 'enabled' : 'disabled')}
        </span>
      ),
    },
    { key: 'ticket', title: t('ticket-short'), cell: ({ ticket }) => yes(ticket) },
    { key: 'lastLogin', title: t('last-login'), first: 'desc', cell: ({ lastLogin }) => formatDateTime(lastLogin) },
    {
      key: 'edit',
      title: t('ui:edit'),
      plain: true,
      cell: (user) =>
        user.manageable ? (
          <Button
            variant="default"
            size="xs"
            leftSection={<PencilIcon size={14} />}
            aria-label={t('edit-named', { username: user.username })}
            onClick={() => onEdit(user.id)}
          >
            {t('ui:edit')}
          </Button>
        ) : (
          <span className={css.notManageable}>{t('wider-rights')}</span>
        ),
    },
  ]
}
