import { Button, FileButton } from '@mantine/core'
import { attachmentTypes } from '@rogatka/contract/tickets.ts'
import { useRef } from 'react'
import { FileIcon } from '../ui/icons.tsx'

type Props = {
  label: string
  isDisabled: boolean
  isLoading?: boolean
  onAdd: (files: File[]) => void
}

/** Opens the file dialog for the file types that tickets accept. */
export function FilesButton({ label, isDisabled, isLoading = false, onAdd }: Props) {
  // Resets the input, so that the same file can be selected again after removal or a failed upload.
  const reset = useRef<() => void>(null)
  const add = (files: File[]) => {
    reset.current?.()
    onAdd(files)
  }
  return (
    <div>
      <FileButton
        resetRef={reset}
        multiple
        onChange={add}
        accept={attachmentTypes.join(',')}
        inputProps={{ 'aria-label': label }}
      >
        {(props) => (
          <Button {...props} variant="default" leftSection={<FileIcon />} loading={isLoading} disabled={isDisabled}>
            {label}
          </Button>
        )}
      </FileButton>
    </div>
  )
}
