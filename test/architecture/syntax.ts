/** Syntax trees of source files. */
import { parseSync, type ESTree } from 'vite';

export type Node = ESTree.Node;

export const nodesOf = (file: string, source: string): Node[] => nodesWithParents(file, source).map(({ node }) => node);

export function nodesWithParents(file: string, source: string): { node: Node; parent: Node | undefined }[] {
  const nodes: { node: Node; parent: Node | undefined }[] = [];
  const walk = (node: Node, parent?: Node) => {
    nodes.push({ node, parent });
    for (const child of childrenOf(node)) walk(child, node);
  };
  walk(programOf(file, source));
  return nodes;
}

export const programOf = (file: string, source: string): Node =>
  parseSync(file, source, { lang: file.endsWith('.ts') ? 'ts' : 'tsx' }).program;

export const childrenOf = (node: Node): Node[] => (Object.values(node) as unknown[]).flat().filter(isNode);

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
