/** Text with one part between <b> and </b>, rendered bold. */
export function RichText({ text }: { text: string }) {
  const [before, bold, after] = text.split(/<\/?b>/)
  return (
    <>
      {before}
      <b>{bold}</b>
      {after}
    </>
  )
}
