import { escapeXml } from '@rogatka/domain/core/xml.ts'

type Metadata = {
  title: string
  author: string
  createdAt: Date
  /** Follows the rules of PDF/UA-1. */
  isAccessible: boolean
}

/**
 * The properties of a document in XMP (ISO 16684-1), in place of those of pdfkit, whose texts are not escaped: an & in a
 * name made them unreadable.
 */
export function xmpProperties({ title, author, createdAt, isAccessible }: Metadata): string {
  const described = (prefix: string, namespace: string, content: string) =>
    `<rdf:Description rdf:about="" xmlns:${prefix}="${namespace}">${content}</rdf:Description>\n`
  const time = `${createdAt.toISOString().slice(0, 19)}Z`
  return [
    described(
      'dc',
      'http://purl.org/dc/elements/1.1/',
      `<dc:title><rdf:Alt><rdf:li xml:lang="x-default">${escapeXml(title)}</rdf:li></rdf:Alt></dc:title>` +
        `<dc:creator><rdf:Seq><rdf:li>${escapeXml(author)}</rdf:li></rdf:Seq></dc:creator>`,
    ),
    described(
      'xmp',
      'http://ns.adobe.com/xap/1.0/',
      `<xmp:CreateDate>${time}</xmp:CreateDate><xmp:CreatorTool>Rogatka</xmp:CreatorTool>`,
    ),
    described('pdf', 'http://ns.adobe.com/pdf/1.3/', '<pdf:Producer>Rogatka</pdf:Producer>'),
    ...(isAccessible
      ? [described('pdfuaid', 'http://www.aiim.org/pdfua/ns/id/', '<pdfuaid:part>1</pdfuaid:part>')]
      : []),
  ].join('')
}
