import { removeContact, removePlate, type WireWantedContact, type WireWantedPlate } from '@rogatka/contract/wanted.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { DeleteEntry } from '../core/frame/DeleteEntry.tsx'

export function DeletePlate({ plate, onDeleted }: { plate: WireWantedPlate; onDeleted: () => void }) {
  const { t } = useTranslation('wanted')
  return (
    <DeleteEntry
      name={plate.plateLpr}
      question={t('delete-plate-question', { name: plate.plateLpr })}
      hint={plate.hits > 0 ? t('delete-plate-hint', { count: plate.hits }) : ''}
      gone="wanted-plate-not-found"
      remove={() => call(removePlate, { params: { id: plate.id } })}
      onDeleted={onDeleted}
    />
  )
}

export function DeleteContact({ contact, onDeleted }: { contact: WireWantedContact; onDeleted: () => void }) {
  const { t } = useTranslation('wanted')
  return (
    <DeleteEntry
      name={contact.contact}
      question={t('delete-contact-question', { name: contact.contact })}
      hint={t('delete-contact-hint')}
      gone="contact-not-found"
      remove={() => call(removeContact, { params: { id: contact.id } })}
      onDeleted={onDeleted}
    />
  )
}
