import { addContact, type WireWantedContact } from '@rogatka/contract/wanted.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { useTitle } from '../core/useTitle.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { EntryActions } from '../ui/EntryActions.tsx'
import { ListTitle } from '../ui/ListTitle.tsx'
import { ContactForm } from './ContactForm.tsx'
import { useContactColumns } from './columns.tsx'
import { DeleteContact } from './DeleteEntry.tsx'
import { ReadOnlyEntry } from './ReadOnlyEntry.tsx'
import { readWantedSearch } from './search.ts'
import { TestMessage } from './TestMessage.tsx'
import { UploadPanel } from './UploadPanel.tsx'
import { uploads } from './uploads.ts'
import { useFirstPage } from './useFirstPage.ts'
import { useOpenedEntry } from './useOpenedEntry.ts'
import { invalidateWanted, useContacts } from './useWanted.ts'
import css from './Wanted.module.css'
import { WantedTable } from './WantedTable.tsx'

/** Contacts to notify of black-list hits. */
export function ContactPage() {
  const { t } = useTranslation('wanted')
  useTitle(t('title-contacts'))
  const { page = 1, edit } = readWantedSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const toFirstPage = useFirstPage()
  const client = useQueryClient()
  const showSuccess = useSuccessToast()
  const navigateTo = (to: number, edit?: number) =>
    void navigate({ to: '.', search: readWantedSearch({ page: to, edit }) })
  const result = useContacts(page)
  const edited = useOpenedEntry(result.data?.content, edit)
  const refetch = () => void invalidateWanted(client)
  const onAdded = (text: string) => {
    showSuccess(text)
    void invalidateWanted(client)
    toFirstPage()
  }
  const columns = useContactColumns((contact: WireWantedContact) =>
    contact.manageable ? (
      <EntryActions name={contact.contact} onEdit={() => navigateTo(page, contact.id)}>
        <TestMessage contact={contact} />
        <DeleteContact contact={contact} onDeleted={refetch} />
      </EntryActions>
    ) : (
      <ReadOnlyEntry />
    ),
  )
  return (
    <PageLayout title={<ListTitle>{t('title-contacts')}</ListTitle>}>
      <div className={css.entry}>
        <ContactForm onSaved={() => onAdded(t('contact-added'))} onStale={refetch} />
        <UploadPanel
          upload={uploads.contacts}
          hint={t('csv-contacts')}
          cellsOf={({ type, contact, description }) => [t(`type-${type}`), contact, description]}
          headers={[t('type'), t('contact'), t('ui:description')]}
          send={({ type, contact, description }, signal) =>
            call(addContact, { body: { typeOfContact: type, contact, description }, signal, background: true })
          }
          onSent={(count) => onAdded(t('rows-added', { count }))}
        />
      </div>
      <WantedTable
        label={t('title-contacts')}
        result={result}
        columns={columns}
        page={page}
        onPage={(to) => navigateTo(to)}
        nothing={t('no-contacts')}
      />
      {edited?.manageable && (
        <Dialog title={t('ui:change-named', { name: edited.contact })} open onClose={() => navigateTo(page)}>
          <ContactForm
            key={edited.id}
            entry={edited}
            onStale={refetch}
            onCancel={() => navigateTo(page)}
            onSaved={() => {
              showSuccess(t('ui:saved', { name: edited.contact }))
              void invalidateWanted(client)
              navigateTo(page)
            }}
          />
        </Dialog>
      )}
    </PageLayout>
  )
}
