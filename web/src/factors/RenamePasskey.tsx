import { Button } from '@mantine/core'
import { renamePasskey, type WirePasskey } from '@rogatka/contract/session-passkeys.ts'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import css from './Factors.module.css'
import { PasskeyName } from './PasskeyName.tsx'

type Props = { passkey: WirePasskey; onClose: () => void; onDone: () => unknown }

/** Dialog for another name of a passkey. */
export function RenamePasskey({ passkey, onClose, onDone }: Props) {
  const { t } = useTranslation('factors')
  const showSuccess = useSuccessToast()
  const [name, setName] = useState(passkey.name)
  const [isMissing, setMissing] = useState(false)
  const rename = useMutation({
    mutationFn: () => call(renamePasskey, { params: { id: passkey.id }, body: { name } }),
    onSuccess: async () => {
      onClose()
      showSuccess(t('passkey-renamed'))
      await onDone()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '') setMissing(true)
    else rename.mutate()
  }
  return (
    <Dialog title={t('rename-of', { name: passkey.name })} open onClose={onClose}>
      <form className={css.section} noValidate onSubmit={submit}>
        {rename.error && <ErrorBanner error={rename.error} dismiss={rename.reset} />}
        <PasskeyName
          value={name}
          onChange={(name) => {
            setName(name)
            setMissing(false)
          }}
          isMissing={isMissing}
        />
        <div className={css.buttons}>
          <Button type="submit" loading={rename.isPending}>
            {t('rename')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('ui:cancel')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
