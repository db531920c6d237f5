/* Public API of this feature; other features import nothing else. */

export { CodeStep } from './CodeStep.tsx'
export { PasskeyNotUsed, signInWithPasskey } from './passkeys.ts'
export { signInWithAnswer, startProviderSignIn } from './providers.ts'
