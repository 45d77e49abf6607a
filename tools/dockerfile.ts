/** Reads the instructions of a Dockerfile. `check-image.ts` runs them. */

export interface Instruction {
  name: string;
  /** Its arguments, as in the file. */
  rest: string;
}

export interface Stage {
  /** The image that it begins with. */
  base: string;
  /** The last stage has no name. */
  name: string;
  instructions: readonly Instruction[];
}

export function parseDockerfile(content: string): Stage[] {
  const stages: (Stage & { instructions: Instruction[] })[] = [];
  const lines = content
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n');
  for (const line of lines) {
    const [, name, rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    if (!name) continue;
    const [, base, stage = ''] = (name === 'FROM' && /^(\S+)(?: AS (\S+))?$/.exec(rest)) || [];
    if (base) stages.push({ base, name: stage, instructions: [] });
    else stages.at(-1)?.instructions.push({ name, rest });
  }
  return stages;
}
