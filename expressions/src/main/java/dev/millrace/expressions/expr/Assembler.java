package dev.millrace.expressions.expr;

import dev.millrace.expressions.expr.value.GoFetch;
import dev.millrace.expressions.expr.value.GoFunction;
import dev.millrace.expressions.expr.value.GoOperators;
import dev.millrace.expressions.expr.value.GoPanic;
import dev.millrace.expressions.expr.value.GoType;
import dev.millrace.expressions.sprig.SprigFunctions;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns the tree into nested closures. Names of locals become slots of the frame here, once. */
final class Assembler {

    /** What {@code ?.} leaves a chain with; no value that a program can see. */
    private static final Object SKIPPED = new Object();

    private final String source;
    private final ExprOptions options;
    private final Map<String, Integer> locals = new HashMap<>();
    private int slots;

    /** The first slot of the innermost predicate: element, index, accumulator. */
    private int scope = -1;

    Assembler(String source, ExprOptions options) {
        this.source = source;
        this.options = options;
    }

    int slots() {
        return slots;
    }

    /** Whether functions are reached through the name, as in {@code sprig.trim}. */
    static boolean isNamespace(ExprOptions options, String name) {
        String prefix = name + ".";
        for (String function : options.functions().keySet()) {
            if (function.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    /** The full name of a Sprig function that is left out on purpose, if the call is of one. */
    static @Nullable String leftOutFunction(Node.Call call) {
        return call.callee()
                                instanceof
                                Node.Member(Node object, Node property, boolean optional, int at)
                        && object instanceof Node.Identifier(String namespace, int at2)
                        && namespace.equals("sprig")
                        && property instanceof Node.Constant(Object name, int at3)
                        && name instanceof String text
                        && SprigFunctions.LEFT_OUT.contains(text)
                ? "sprig." + text
                : null;
    }

    Step step(Node node) {
        return switch (node) {
            case Node.Constant(Object value, int at) -> frame -> value;
            case Node.Identifier identifier -> identifier(identifier);
            case Node.Unary unary -> unary(unary);
            case Node.Binary binary -> binary(binary);
            case Node.Chain chain -> {
                Step inner = step(chain.node());
                yield frame -> {
                    Object value = inner.run(frame);
                    return value == SKIPPED || GoType.isNil(value) ? null : value;
                };
            }
            case Node.Member member -> member(member);
            case Node.Slice slice -> slice(slice);
            case Node.Call call -> call(call);
            case Node.Builtin builtin -> builtin(builtin);
            case Node.Predicate predicate -> step(predicate.body());
            case Node.Pointer pointer -> pointer(pointer);
            case Node.Let let -> let(let);
            case Node.Conditional conditional -> conditional(conditional);
            case Node.ListLiteral list -> list(list);
            case Node.MapLiteral map -> map(map);
            case Node.Sequence sequence -> sequence(sequence);
        };
    }

    /**
     * Adds the place to what goes wrong in the step itself; its operands have added theirs before.
     */
    Step placed(Node node, Step step) {
        return frame -> {
            try {
                return step.run(frame);
            } catch (GoPanic e) {
                throw failure(e.getMessage(), node);
            } catch (ArithmeticException | DateTimeException e) {
                // Times and durations beyond what Java holds; Go would wrap around silently.
                throw failure("time out of range: " + e.getMessage(), node);
            }
        };
    }

    private ExprEvaluationException failure(String message, Node node) {
        return new ExprEvaluationException(message, new Position(source, node.at()));
    }

    private Step identifier(Node.Identifier identifier) {
        String name = identifier.name();
        Integer slot = locals.get(name);
        if (slot != null) {
            int index = slot;
            return frame -> frame.slots[index];
        }
        if (name.equals("$env")) {
            return frame -> new EnvironmentMap(frame.environment);
        }
        boolean undefined = options.allowUndefinedVariables();
        Object otherwise = otherwise(name);
        return frame -> {
            Object value = frame.environment.get(name);
            if (value != null || frame.environment.has(name)) {
                return value;
            }
            if (otherwise == null && !undefined) {
                throw failure("unknown name " + name, identifier);
            }
            return otherwise;
        };
    }

    /** What a name stands for where there is no variable of that name. */
    private @Nullable Object otherwise(String name) {
        GoFunction function = options.functions().get(name);
        if (function != null) {
            return function;
        }
        if (isNamespace(options, name)) {
            Map<String, @Nullable Object> members = new LinkedHashMap<>();
            options.functions()
                    .forEach(
                            (key, value) -> {
                                if (key.startsWith(name + ".")) {
                                    members.put(key.substring(name.length() + 1), value);
                                }
                            });
            return members;
        }
        if (Builtins.exists(name) && !Builtins.isPredicate(name)) {
            return Builtins.signature(name).body();
        }
        return null;
    }

    private Step unary(Node.Unary unary) {
        Step operand = step(unary.operand());
        return switch (unary.operator()) {
            case "!", "not" -> placed(unary, frame -> !bool(operand.run(frame)));
            case "-" -> placed(unary, frame -> GoOperators.negate(operand.run(frame)));
            default -> operand;
        };
    }

    static boolean bool(@Nullable Object value) {
        if (value instanceof Boolean bool) {
            return bool;
        }
        throw new GoPanic(
                "interface conversion: interface {} is "
                        + (value == null ? "nil" : GoType.name(value))
                        + ", not bool");
    }

    private Step binary(Node.Binary node) {
        Step left = step(node.left());
        Step right = step(node.right());
        Step operation =
                switch (node.operator()) {
                    // The right operand is the result as it is: only a condition around it asks
                    // whether it is a bool.
                    case "and", "&&" ->
                            frame -> bool(left.run(frame)) ? right.run(frame) : Boolean.FALSE;
                    case "or", "||" ->
                            frame -> bool(left.run(frame)) ? Boolean.TRUE : right.run(frame);
                    case "??" ->
                            frame -> {
                                Object value = left.run(frame);
                                return GoType.isNil(value) ? right.run(frame) : value;
                            };
                    case "==" -> frame -> GoOperators.equal(left.run(frame), right.run(frame));
                    case "!=" -> frame -> !GoOperators.equal(left.run(frame), right.run(frame));
                    case "<", ">", "<=", ">=" -> {
                        String operator = node.operator();
                        yield frame ->
                                GoOperators.less(left.run(frame), right.run(frame), operator);
                    }
                    case "+" -> frame -> GoOperators.add(left.run(frame), right.run(frame));
                    case "-" -> frame -> GoOperators.subtract(left.run(frame), right.run(frame));
                    case "*" -> frame -> GoOperators.multiply(left.run(frame), right.run(frame));
                    case "/" -> frame -> GoOperators.divide(left.run(frame), right.run(frame));
                    case "%" -> frame -> GoOperators.remainder(left.run(frame), right.run(frame));
                    case "**", "^" -> frame -> GoOperators.power(left.run(frame), right.run(frame));
                    case ".." -> TextOperators.range(left, right);
                    case "in" -> frame -> GoOperators.in(left.run(frame), right.run(frame));
                    case "matches" -> TextOperators.matches(left, right, node.right());
                    default -> TextOperators.search(node.operator(), left, right);
                };
        return placed(node, operation);
    }

    private Step member(Node.Member member) {
        Step object = step(member.object());
        Step property = step(member.property());
        boolean optional = member.optional();
        Step fetch;
        if (member.property() instanceof Node.Constant(Object value, int at)
                && value instanceof String name) {
            fetch =
                    frame -> {
                        Object from = object.run(frame);
                        if (from == SKIPPED || (optional && from == null)) {
                            return SKIPPED;
                        }
                        return GoFetch.fetch(from, name);
                    };
        } else {
            fetch =
                    frame -> {
                        Object from = object.run(frame);
                        if (from == SKIPPED || (optional && from == null)) {
                            return SKIPPED;
                        }
                        return GoFetch.fetch(from, property.run(frame));
                    };
        }
        return placed(member, fetch);
    }

    private Step slice(Node.Slice slice) {
        Step object = step(slice.object());
        Step from = slice.from() == null ? frame -> null : step(slice.from());
        Step to = slice.to() == null ? frame -> null : step(slice.to());
        return placed(
                slice, frame -> GoFetch.slice(object.run(frame), from.run(frame), to.run(frame)));
    }

    private Step call(Node.Call call) {
        List<Step> arguments = steps(call.arguments());
        GoFunction known = knownFunction(call.callee());
        if (known != null) {
            return placed(call, frame -> known.call(values(arguments, frame)));
        }
        Step callee = step(call.callee());
        return placed(
                call,
                frame -> {
                    Object function = callee.run(frame);
                    if (function == SKIPPED) {
                        return SKIPPED;
                    }
                    List<@Nullable Object> values = values(arguments, frame);
                    if (function instanceof GoFunction callable) {
                        return callable.call(values);
                    }
                    throw new GoPanic(
                            "invalid operation: cannot call "
                                    + (function == null ? "nil" : GoType.name(function)));
                });
    }

    /** The host function that a name means, where no variable can hide it. */
    private @Nullable GoFunction knownFunction(Node callee) {
        if (callee instanceof Node.Identifier(String name, int at) && visible(name)) {
            return options.functions().get(name);
        }
        if (callee instanceof Node.Member(Node object, Node property, boolean optional, int at)
                && object instanceof Node.Identifier(String namespace, int at2)
                && property instanceof Node.Constant(Object name, int at3)
                && visible(namespace)) {
            return options.functions().get(namespace + "." + name);
        }
        return null;
    }

    private boolean visible(String name) {
        return !locals.containsKey(name) && !options.declaredTypes().containsKey(name);
    }

    private Step builtin(Node.Builtin call) {
        List<Node> arguments = call.arguments();
        if (!Builtins.isPredicate(call.name())) {
            List<Step> steps = steps(arguments);
            GoFunction body = Builtins.signature(call.name()).body();
            if (steps.size() == 1) {
                Step only = steps.getFirst();
                return placed(
                        call,
                        frame -> body.call(java.util.Collections.singletonList(only.run(frame))));
            }
            return placed(call, frame -> body.call(values(steps, frame)));
        }
        Step collection = step(arguments.getFirst());
        Step last = arguments.size() > 2 ? step(arguments.get(2)) : null;
        int outer = scope;
        scope = slots;
        slots += 3;
        Step predicate = arguments.size() > 1 ? step(arguments.get(1)) : null;
        Loop loop = new Loop(scope, collection, predicate, last);
        scope = outer;
        return placed(call, loop.of(call.name()));
    }

    private Step pointer(Node.Pointer pointer) {
        int slot =
                scope
                        + switch (pointer.name()) {
                            case "index" -> 1;
                            case "acc" -> 2;
                            default -> 0;
                        };
        return frame -> frame.slots[slot];
    }

    private Step let(Node.Let let) {
        Step value = step(let.value());
        int slot = slots++;
        Integer hidden = locals.put(let.name(), slot);
        Step body = step(let.body());
        if (hidden == null) {
            locals.remove(let.name());
        } else {
            locals.put(let.name(), hidden);
        }
        return frame -> {
            frame.slots[slot] = value.run(frame);
            return body.run(frame);
        };
    }

    private Step conditional(Node.Conditional conditional) {
        Step condition = step(conditional.condition());
        Step yes = step(conditional.yes());
        Step no = step(conditional.no());
        Step decision = placed(conditional, frame -> bool(condition.run(frame)));
        return frame -> Boolean.TRUE.equals(decision.run(frame)) ? yes.run(frame) : no.run(frame);
    }

    private Step list(Node.ListLiteral list) {
        List<Step> elements = steps(list.elements());
        return placed(
                list,
                frame -> {
                    frame.allocate(elements.size());
                    return values(elements, frame);
                });
    }

    private Step map(Node.MapLiteral map) {
        List<Step> keys = new ArrayList<>();
        List<Step> values = new ArrayList<>();
        for (Node.Entry entry : map.entries()) {
            keys.add(step(entry.key()));
            values.add(step(entry.value()));
        }
        return placed(
                map,
                frame -> {
                    frame.allocate(keys.size());
                    Map<String, @Nullable Object> made = new LinkedHashMap<>();
                    for (int i = 0; i < keys.size(); i++) {
                        Object key = keys.get(i).run(frame);
                        Object value = values.get(i).run(frame);
                        if (!(key instanceof String name)) {
                            throw new GoPanic(
                                    "interface conversion: interface {} is "
                                            + (key == null ? "nil" : GoType.name(key))
                                            + ", not string");
                        }
                        // Of a key that is given twice the first value counts.
                        if (!made.containsKey(name)) {
                            made.put(name, value);
                        }
                    }
                    return made;
                });
    }

    private Step sequence(Node.Sequence sequence) {
        List<Step> steps = steps(sequence.nodes());
        return frame -> {
            Object last = null;
            for (Step step : steps) {
                last = step.run(frame);
            }
            return last;
        };
    }

    private List<Step> steps(List<Node> nodes) {
        List<Step> steps = new ArrayList<>(nodes.size());
        for (Node node : nodes) {
            steps.add(step(node));
        }
        return steps;
    }

    private static List<@Nullable Object> values(List<Step> steps, Frame frame) {
        List<@Nullable Object> values = new ArrayList<>(steps.size());
        for (int i = 0; i < steps.size(); i++) {
            values.add(steps.get(i).run(frame));
        }
        return values;
    }
}
