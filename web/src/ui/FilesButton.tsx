import { Button, FileButton } from '@mantine/core'
import { useRef } from 'react'
import { FileIcon } from './icons.tsx'

type Props = {
  label: string
  /** Accessible name where the label alone is ambiguous; must contain the label. */
  name?: string
  /** Accepted file types. */
  accept: readonly string[]
  multiple?: boolean
  small?: boolean
  isDisabled?: boolean
  isLoading?: boolean
  onAdd: (files: File[]) => void
}

/** Opens the file dialog. */
export function FilesButton(props: Props) {
  const {
    label,
    name = label,
    accept,
    multiple = false,
    small = false,
    isDisabled = false,
    isLoading = false,
    onAdd,
  } = props
  // Resets the input, so that the same file can be selected again after removal or a failed upload.
  const reset = useRef<() => void>(null)
  const add = (selected: File | File[] | null) => {
    reset.current?.()
    onAdd([selected ?? []].flat())
  }
  return (
    <div>
      <FileButton
        resetRef={reset}
        multiple={multiple}
        onChange={add}
        accept={accept.join(',')}
        inputProps={{ 'aria-label': name }}
      >
        {(props) => (
          <Button
            {...props}
            aria-label={name}
            variant="default"
            {...(small && { size: 'xs' })}
            leftSection={<FileIcon size={small ? 14 : 16} />}
            loading={isLoading}
            disabled={isDisabled}
          >
            {label}
          </Button>
        )}
      </FileButton>
    </div>
  )
}
