package dev.millrace.expressions.expr;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds which variables a program reads, and which members of them. */
final class ReferenceCollector {

    private final Set<String> variables = new LinkedHashSet<>();
    private final Set<List<String>> paths = new LinkedHashSet<>();
    private final Deque<String> locals = new ArrayDeque<>();
    private final ExprOptions options;

    ReferenceCollector(ExprOptions options) {
        this.options = options;
    }

    Set<String> variables() {
        return variables;
    }

    Set<List<String>> paths() {
        return paths;
    }

    void visit(Node node) {
        List<String> path = path(node);
        if (path != null) {
            variables.add(path.getFirst());
            paths.add(List.copyOf(path));
            return;
        }
        switch (node) {
            case Node.Constant constant -> {}
            case Node.Identifier identifier -> {}
            case Node.Pointer pointer -> {}
            case Node.Unary unary -> visit(unary.operand());
            case Node.Binary binary -> {
                visit(binary.left());
                visit(binary.right());
            }
            case Node.Chain chain -> visit(chain.node());
            case Node.Member member -> {
                visit(member.object());
                visit(member.property());
            }
            case Node.Slice slice -> {
                visit(slice.object());
                visitIfAny(slice.from());
                visitIfAny(slice.to());
            }
            case Node.Call call -> {
                // The callee of a method is not a member of the path: a.b.trim() reads a.b.
                visit(
                        call.callee() instanceof Node.Member member
                                ? member.object()
                                : call.callee());
                call.arguments().forEach(this::visit);
            }
            case Node.Builtin builtin -> builtin.arguments().forEach(this::visit);
            case Node.Predicate predicate -> visit(predicate.body());
            case Node.Let let -> {
                visit(let.value());
                locals.push(let.name());
                visit(let.body());
                locals.pop();
            }
            case Node.Conditional conditional -> {
                visit(conditional.condition());
                visit(conditional.yes());
                visit(conditional.no());
            }
            case Node.ListLiteral list -> list.elements().forEach(this::visit);
            case Node.MapLiteral map ->
                    map.entries()
                            .forEach(
                                    entry -> {
                                        visit(entry.key());
                                        visit(entry.value());
                                    });
            case Node.Sequence sequence -> sequence.nodes().forEach(this::visit);
        }
    }

    private void visitIfAny(@Nullable Node node) {
        if (node != null) {
            visit(node);
        }
    }

    /** The names from the variable down to the member, if the node is nothing but that. */
    private @Nullable LinkedList<String> path(Node node) {
        return switch (node) {
            case Node.Identifier(String name, int at) -> {
                LinkedList<String> path = null;
                if (isVariable(name)) {
                    path = new LinkedList<>();
                    path.add(name);
                }
                yield path;
            }
            case Node.Chain chain -> path(chain.node());
            case Node.Member(Node object, Node property, boolean optional, int at) -> {
                if (!(property instanceof Node.Constant(Object value, int at2))
                        || !(value instanceof String name)) {
                    yield null;
                }
                if (object instanceof Node.Identifier(String env, int at3) && env.equals("$env")) {
                    LinkedList<String> path = new LinkedList<>();
                    path.add(name);
                    yield path;
                }
                LinkedList<String> path = path(object);
                if (path != null) {
                    path.add(name);
                }
                yield path;
            }
            case Node.Constant ignored -> null;
            case Node.Unary ignored -> null;
            case Node.Binary ignored -> null;
            case Node.Slice ignored -> null;
            case Node.Call ignored -> null;
            case Node.Builtin ignored -> null;
            case Node.Predicate ignored -> null;
            case Node.Pointer ignored -> null;
            case Node.Let ignored -> null;
            case Node.Conditional ignored -> null;
            case Node.ListLiteral ignored -> null;
            case Node.MapLiteral ignored -> null;
            case Node.Sequence ignored -> null;
        };
    }

    private boolean isVariable(String name) {
        return !locals.contains(name)
                && !name.equals("$env")
                && (options.declaredTypes().containsKey(name)
                        || !(options.functions().containsKey(name)
                                || Builtins.exists(name)
                                || Assembler.isNamespace(options, name)));
    }
}
