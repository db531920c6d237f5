/* Public API of this feature; other features import nothing else. */

export { PurposeInForce } from './PurposeInForce.tsx'
