import { useState } from 'react'

/** State of a `ConfirmDialog` that closes on confirmation. */
export function useConfirm(onConfirm: () => void) {
  const [open, setOpen] = useState(false)
  const onClose = () => setOpen(false)
  return {
    ask: () => setOpen(true),
    dialog: {
      open,
      onClose,
      onConfirm: () => {
        onClose()
        onConfirm()
      },
    },
  }
}
