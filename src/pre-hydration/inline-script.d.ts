/** A file and what it imports as the text of one small script (tools/inline-script.ts). */
declare module '*?inline-script' {
  const script: string;
  export default script;
}
