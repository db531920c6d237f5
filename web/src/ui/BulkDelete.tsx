import { Button } from '@mantine/core'
import { useState } from 'react'
import css from './BulkDelete.module.css'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { TrashIcon } from './icons.tsx'

type Props = {
  /** Names of the rows to delete; renders nothing if empty. */
  names: readonly string[]
  texts: {
    /** "Usuń (3)" */
    button: string
    /** "Usunąć 3 użytkowników?" */
    question: string
    /** "Usuń" */
    confirm: string
  }
  /** Settles when the request is done, also if it failed. */
  onConfirm: () => Promise<unknown>
}

/** Deletes the selected rows after a confirmation that lists them. */
export function BulkDelete({ names, texts, onConfirm }: Props) {
  const [state, setState] = useState<'idle' | 'asking' | 'deleting'>('idle')
  const confirm = () => {
    setState('deleting')
    void onConfirm().finally(() => setState('idle'))
  }
  if (names.length === 0) return null
  return (
    <>
      <Button variant="default" leftSection={<TrashIcon />} onClick={() => setState('asking')}>
        {texts.button}
      </Button>
      <ConfirmDialog
        title={texts.question}
        open={state !== 'idle'}
        onClose={() => setState('idle')}
        onConfirm={confirm}
        confirmLabel={texts.confirm}
        destructive
        pending={state === 'deleting'}
      >
        <ul className={css.names}>
          {names.map((name) => (
            <li key={name}>{name}</li>
          ))}
        </ul>
      </ConfirmDialog>
    </>
  )
}
