import { lazyPart } from '../core/lazyPage.tsx'

/** Why this session looks for plates, among the active filters; nothing if it has not said so. Loaded when first shown. */
export const PurposeInForce = lazyPart('PurposeSection', () => import('./PurposeSection.tsx'), {
  features: ['trail'],
  Wrapper: () => null,
})
