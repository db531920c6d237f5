/** Copies a text to the clipboard; rejects if the browser does not allow it. */
export async function copyText(text: string): Promise<void> {
  // Without HTTPS there is no clipboard API: falls back to execCommand.
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const before = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.style.position = 'fixed'
  document.body.append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  if (!copied) throw new Error('The browser does not allow copying.')
}
