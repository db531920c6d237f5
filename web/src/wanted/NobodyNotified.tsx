import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useRight, useSelf } from '../core/useSelf.ts'
import { Notice } from '../ui/Notice.tsx'
import { useContactCount } from './useWanted.ts'
import css from './Wanted.module.css'

/** Warns that the owner of a black-list entry has no contacts: nobody is notified of its hits. */
export function NobodyNotified({ owner }: { owner: number | null }) {
  const { t } = useTranslation('wanted')
  const { data: self } = useSelf()
  const { data } = useContactCount(owner, self !== undefined)
  const canOpenPage = useRight('WantedList')
  const hasContacts = useRight('Contacts')
  if (data?.count !== 0) return null
  const isSelf = owner === null || owner === self?.id
  return (
    <Notice>
      {t(isSelf ? 'no-contacts-self' : 'no-contacts-owner')}{' '}
      {isSelf && (canOpenPage || hasContacts) && (
        <Link className={css.link ?? ''} to="/contact">
          {t('open-contacts')}
        </Link>
      )}
    </Notice>
  )
}
