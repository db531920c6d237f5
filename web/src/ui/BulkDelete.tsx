import { Button } from '@mantine/core'
import { useState } from 'react'
import css from './BulkDelete.module.css'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { TrashIcon } from './icons.tsx'

type Props = {
  /** What will be deleted; without any there is nothing to press. */
  names: readonly string[]
  texts: {
    /** "Usuń (3)" */
    button: string
    /** "Usunąć 3 użytkowników?" */
    question: string
    /** "Usuń" */
    confirm: string
  }
  /** Settles when it is over, however it ends. */
  onConfirm: () => Promise<unknown>
}

/** Deletes the chosen rows of a list once it was said how many and which they are. */
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
        confirm={texts.confirm}
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
