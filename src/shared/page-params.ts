/** The part of a route's `handle` that the server reads, too. */
export interface ParamsHandle {
  /**
   * Returns false for parameters that no page can have, from the path alone. The server then sends
   * the cached document of unknown paths and renders nothing.
   */
  acceptsParams?(params: Readonly<Record<string, string | undefined>>): boolean;
}
