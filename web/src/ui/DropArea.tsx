import { Button } from '@mantine/core'
import { type DragEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import css from './DropArea.module.css'
import { FilesButton } from './FilesButton.tsx'
import { FileIcon } from './icons.tsx'

type Props = {
  /** For screen readers. */
  label: string
  title: string
  hint: string
  /** Label of the button. */
  choose: string
  /** Accepted file types of the file dialog. */
  accept?: readonly string[]
  /** A file is being sent: no other one is accepted. */
  isLoading: boolean
  onAdd: (file: File) => void
  /** Breaks off sending, if it can be. */
  onCancel?: () => void
}

/** A file is dropped here, or chosen by the button. */
export function DropArea({ label, title, hint, choose, accept = [], isLoading, onAdd, onCancel }: Props) {
  const { t } = useTranslation('ui')
  const [isOver, setIsOver] = useState(false)
  const add = ([file]: File[]) => file && onAdd(file)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    if (!isLoading) add([...event.dataTransfer.files])
  }
  return (
    <section
      className={css.drop}
      aria-label={label}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <FileIcon size={30} />
      <b>{title}</b>
      <FilesButton label={choose} accept={accept} isLoading={isLoading} onAdd={add} />
      {isLoading && onCancel && (
        <Button variant="default" onClick={onCancel}>
          {t('cancel')}
        </Button>
      )}
      <span className={css.hint}>{hint}</span>
    </section>
  )
}
