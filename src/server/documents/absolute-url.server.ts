/** Returns the path itself if the public address is not configured. */
export function absoluteUrl(path: string, publicUrl: string | undefined): string {
  if (!publicUrl) return path;
  // `new URL(path, base)` would read a path that starts with `//` as a host.
  const url = new URL(publicUrl);
  url.pathname = path;
  return url.href;
}
