/* Public API of this feature; other features import nothing else. */

export { PasskeyNotUsed, signInWithPasskey } from './passkeys.ts'
export { signInWithAnswer, startProviderSignIn } from './providers.ts'
export { SecondStep } from './SecondStep.tsx'
