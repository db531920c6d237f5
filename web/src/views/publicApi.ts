/* Public API of this feature; other features import nothing else. */

export { ViewsButton } from './ViewsButton.tsx'
