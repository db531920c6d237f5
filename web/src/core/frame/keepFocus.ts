const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), [tabindex="0"]'
const DIALOGS = 'dialog, [role="dialog"], [role="alertdialog"]'

/** Where the focus was. */
type FocusPosition = {
  element: HTMLElement
  /** Rows beside its row. */
  rows: Element[]
  /** For an element in a dialog: the place before the dialog. */
  before: FocusPosition | null
}

let last: FocusPosition | null = null

function remember({ target }: FocusEvent): void {
  if (!(target instanceof HTMLElement) || target === last?.element) return
  const row = target.closest('tr, li, article')
  const dialog = target.closest(DIALOGS)
  const before = dialog === null ? null : last && dialog.contains(last.element) ? last.before : last
  last = {
    element: target,
    rows: [row?.nextElementSibling, row?.previousElementSibling].filter((found) => found instanceof Element),
    before,
  }
}

const isShown = (element: Element | undefined): element is HTMLElement =>
  element instanceof HTMLElement && element.isConnected && element.getClientRects().length > 0

/** The element itself, a row beside it, or what had the focus before its dialog. */
function nearestTo({ element, rows, before }: FocusPosition): HTMLElement | null {
  const candidates = [element, ...rows.flatMap((row) => [...row.querySelectorAll(FOCUSABLE)].slice(0, 1))]
  return candidates.find(isShown) ?? (before && nearestTo(before))
}

const isLost = (): boolean =>
  (document.activeElement === null || document.activeElement === document.body) && last?.element.isConnected === false

function restore(): void {
  // The page may have moved the focus itself.
  if (!isLost() || last === null) return
  const target = nearestTo(last) ?? document.querySelector<HTMLElement>('#main h1, h1')
  if (!target) return
  if (target.tabIndex < 0) target.tabIndex = -1
  target.focus({ preventScroll: target.matches('h1') })
}

/** Keeps the keyboard's place when the focused element is removed, such as a deleted row or a closed dialog. */
export function startFocusKeeping(): void {
  document.addEventListener('focusin', remember)
  new MutationObserver(() => {
    if (isLost()) setTimeout(restore)
  }).observe(document.body, { childList: true, subtree: true })
}
