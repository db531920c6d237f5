import { addContact, type WireWantedContact } from '@rogatka/contract/wanted.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { Screen } from '../core/frame/Screen.tsx'
import { useDoneToast } from '../core/useDoneToast.ts'
import { useTitle } from '../core/useTitle.ts'
import { ListTitle } from '../ui/ListTitle.tsx'
import { ContactForm } from './ContactForm.tsx'
import { useContactColumns } from './columns.tsx'
import { DeleteContact } from './DeleteEntry.tsx'
import { EntryList } from './EntryList.tsx'
import { readWantedSearch } from './search.ts'
import { UploadPanel } from './UploadPanel.tsx'
import { uploads } from './uploads.ts'
import { forgetWanted, useContacts } from './useWanted.ts'
import css from './Wanted.module.css'

/** Who is told of the black list. */
export function ContactPage() {
  const { t } = useTranslation('wanted')
  useTitle(t('title-contacts'))
  const { page = 1 } = readWantedSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const client = useQueryClient()
  const done = useDoneToast()
  const go = (to: number) => void navigate({ to: '.', search: to === 1 ? {} : { page: to } })
  const changed = (words: string) => {
    done(words)
    void forgetWanted(client)
    go(1)
  }
  const columns = useContactColumns((contact: WireWantedContact) => (
    <DeleteContact contact={contact} onDeleted={() => void forgetWanted(client)} />
  ))
  return (
    <Screen title={<ListTitle>{t('title-contacts')}</ListTitle>}>
      <div className={css.entry}>
        <ContactForm onAdded={() => changed(t('contact-added'))} />
        <UploadPanel
          upload={uploads.contacts}
          hint={t('csv-contacts')}
          cellsOf={({ type, contact, description }) => [t(`type-${type}`), contact, description]}
          heads={[t('type'), t('contact'), t('description')]}
          send={({ type, contact, description }, signal) =>
            call(addContact, { body: { typeOfContact: type, contact, description }, signal, background: true })
          }
          onSent={(count) => changed(t('rows-added', { count }))}
        />
      </div>
      <EntryList
        label={t('title-contacts')}
        result={useContacts(page)}
        columns={columns}
        page={page}
        onPage={go}
        nothing={t('no-contacts')}
      />
    </Screen>
  )
}
