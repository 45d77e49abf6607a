/** The part of a route's `handle` that the server reads, too. */
export interface ParamsHandle {
  /**
   * Returns false for parameters that no page can have, from the path alone. The loader throws a
   * 404 for them, and the server caches one document of the route with this error.
   */
  acceptsParams?(params: Readonly<Record<string, string | undefined>>): boolean;
  /** The loader only checks the parameters: one document serves all accepted ones. */
  isShared?: boolean;
}
