import { lazyPart } from '../core/lazyPage.tsx'

/** The sign button, loaded when it is shown: lists that import this feature do not need it. */
export const LazySignButton = lazyPart('SignButton', () => import('./SignButton.tsx'), { Wrapper: () => null })
