/** A refusal is returned, and whoever gets it passes it on. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  type CallExpression,
  type Expression,
  type ExpressionStatement,
  type Node,
  type SourceFile,
  SyntaxKind,
  type ThrowStatement,
} from 'typescript/unstable/ast';
import {
  API,
  type Checker,
  TypeFlags,
  type Type,
  type TypeReference,
  type UnionType,
} from 'typescript/unstable/sync';

const root = fileURLToPath(new URL('../', import.meta.url));
const api = new API({ cwd: root });
after(() => api.close());

/** Whether a value of a type, or what its promise resolves to, can be a refusal. */
function canBeRefusal(checker: Checker, type: Type): boolean {
  if (type.flags & TypeFlags.Union) {
    return (type as UnionType).getTypes().some((one) => canBeRefusal(checker, one));
  }
  const name = type.getSymbol()?.name;
  if (name !== 'Promise') return name === 'Refusal';
  return checker.getTypeArguments(type as TypeReference).some((one) => canBeRefusal(checker, one));
}

function* nodesOf(node: Node): Iterable<Node> {
  const children: Node[] = [];
  node.forEachChild((child) => void children.push(child));
  for (const child of children) {
    yield child;
    yield* nodesOf(child);
  }
}

const transparent = new Set([
  SyntaxKind.AwaitExpression,
  SyntaxKind.ParenthesizedExpression,
  SyntaxKind.VoidExpression,
]);

/** What an expression evaluates, without `await`, `void` and parentheses. */
function evaluated(expression: Expression): Expression {
  let inner = expression;
  while (transparent.has(inner.kind)) inner = (inner as CallExpression).expression;
  return inner;
}

/** The expressions of statements of a kind whose value can be a refusal, as `file:line`. */
function* found(kind: SyntaxKind.ExpressionStatement | SyntaxKind.ThrowStatement) {
  const project = api.updateSnapshot({ openProjects: [`${root}tsconfig.json`] }).getProjects()[0]!;
  const { program, checker } = project;
  for (const name of program.getSourceFileNames()) {
    if (!name.startsWith(`${root}src/`)) continue;
    const file: SourceFile = program.getSourceFile(name)!;
    const values = [...nodesOf(file)]
      .filter((node) => node.kind === kind)
      .map((node) => evaluated((node as ExpressionStatement | ThrowStatement).expression))
      .filter((node) => node.kind !== SyntaxKind.BinaryExpression);
    if (values.length === 0) continue;
    const types = checker.getTypeAtLocation(values);
    for (const [at, type] of types.entries()) {
      if (!type || !canBeRefusal(checker, type)) continue;
      const line = file.text.slice(0, values[at]!.getStart(file)).split('\n').length;
      yield `${name.slice(root.length)}:${line}`;
    }
  }
}

suite('a refusal', () => {
  test('is not thrown', () => {
    assert.deepEqual([...found(SyntaxKind.ThrowStatement)], []);
  });

  test('is not dropped by the one who called for it', () => {
    assert.deepEqual([...found(SyntaxKind.ExpressionStatement)], []);
  });
});
