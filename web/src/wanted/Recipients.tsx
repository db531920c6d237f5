import { useTranslation } from 'react-i18next'
import { LastMessage } from './columns.tsx'
import { TestMessage } from './TestMessage.tsx'
import { useContacts } from './useWanted.ts'
import css from './Wanted.module.css'

/** The contacts who are notified of the hits of a black-list entry, each with its last message and a test message. */
export function Recipients({ owner }: { owner: number }) {
  const { t } = useTranslation('wanted')
  const { data } = useContacts(1, owner)
  if (!data || data.content.length === 0) return null
  return (
    <section className={css.recipients} aria-label={t('recipients')}>
      <h3>{t('recipients')}</h3>
      <ul>
        {data.content.map((contact) => (
          <li key={contact.id}>
            <b>{contact.contact}</b>
            {contact.manageable && <TestMessage contact={contact} />}
            <span role="status">
              <LastMessage message={contact.lastMessage} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
