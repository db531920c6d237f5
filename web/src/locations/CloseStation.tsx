import { closeStation, type WireUpkeepStation } from '@rogatka/contract/locations-upkeep.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { ReasonForm } from '../core/frame/ReasonForm.tsx'
import type { EntryFormProps } from '../core/useEntryForm.ts'
import { Dialog } from '../ui/Dialog.tsx'

type Props = EntryFormProps<WireUpkeepStation> & { entry: WireUpkeepStation; onCancel: () => void }

/** Id of the form's draft. */
export const closingDraft = (id: number): string => `station-closing/${id}`

/** Closes a station with a reason. */
export function CloseStation(props: Props) {
  const { t } = useTranslation('locations')
  const { id, shortName: name } = props.entry
  const title = t('close-question', { name })
  return (
    <Dialog title={title} open onClose={props.onCancel}>
      <ReasonForm
        {...props}
        draft={{ form: closingDraft(id), title }}
        action={t('close')}
        effect={t('close-effect')}
        label={t('reason')}
        missing={t('reason-missing')}
        send={(reason) => call(closeStation, { params: { id }, body: { reason } })}
      />
    </Dialog>
  )
}
