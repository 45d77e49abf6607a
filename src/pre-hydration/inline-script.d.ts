/** The bundled and minified text of a module (tools/inline-script.ts). */
declare module '*?inline-script' {
  const script: string;
  export default script;
}
