package dev.millrace.expressions.expr;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Bounds the tree, so that checking and evaluating it fit the stack. A chain such as {@code 1 + 1 +
 * 1 + …} makes a deep tree although nothing is nested in the text, so the parser's own bound does
 * not do; this walk needs no stack.
 */
final class TreeSize {

    private static final int MAX_NODES = 10_000;
    private static final int MAX_DEPTH = 500;

    private record Visit(Node node, int depth) {}

    private TreeSize() {}

    /**
     * @throws ExprSyntaxException if the tree is too large or too deep
     */
    static void check(Node root, String source) {
        Deque<Visit> open = new ArrayDeque<>();
        open.push(new Visit(root, 1));
        int nodes = 0;
        while (!open.isEmpty()) {
            Visit visit = open.pop();
            Node node = visit.node();
            if (++nodes > MAX_NODES || visit.depth() > MAX_DEPTH) {
                String limit = nodes > MAX_NODES ? MAX_NODES + " parts" : MAX_DEPTH + " levels";
                throw new ExprSyntaxException(
                        "the expression is too long: more than " + limit,
                        new Position(source, node.at()));
            }
            for (Node child : children(node)) {
                open.push(new Visit(child, visit.depth() + 1));
            }
        }
    }

    private static List<Node> children(Node node) {
        return switch (node) {
            case Node.Constant constant -> List.of();
            case Node.Identifier identifier -> List.of();
            case Node.Pointer pointer -> List.of();
            case Node.Unary unary -> List.of(unary.operand());
            case Node.Binary binary -> List.of(binary.left(), binary.right());
            case Node.Chain chain -> List.of(chain.node());
            case Node.Member member -> List.of(member.object(), member.property());
            case Node.Slice slice -> {
                List<Node> children = new ArrayList<>(List.of(slice.object()));
                if (slice.from() != null) {
                    children.add(slice.from());
                }
                if (slice.to() != null) {
                    children.add(slice.to());
                }
                yield children;
            }
            case Node.Call call -> {
                List<Node> children = new ArrayList<>(call.arguments());
                children.add(call.callee());
                yield children;
            }
            case Node.Builtin builtin -> builtin.arguments();
            case Node.Predicate predicate -> List.of(predicate.body());
            case Node.Let let -> List.of(let.value(), let.body());
            case Node.Conditional conditional ->
                    List.of(conditional.condition(), conditional.yes(), conditional.no());
            case Node.ListLiteral list -> list.elements();
            case Node.MapLiteral map -> {
                List<Node> children = new ArrayList<>();
                for (Node.Entry entry : map.entries()) {
                    children.add(entry.key());
                    children.add(entry.value());
                }
                yield children;
            }
            case Node.Sequence sequence -> sequence.nodes();
        };
    }
}
