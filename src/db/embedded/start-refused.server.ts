/** A start that cannot go on, said in one line a person can act on. The program prints it and exits 1. */
export class StartRefused extends Error {
  override name = 'StartRefused';
}

/** The folder has its program already. Unlike every other refusal, waiting does not cure it. */
export class FolderTaken extends StartRefused {
  override name = 'FolderTaken';
}
