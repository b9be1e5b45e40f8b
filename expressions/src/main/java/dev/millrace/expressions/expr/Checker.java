package dev.millrace.expressions.expr;

import dev.millrace.expressions.expr.StaticType.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds operations whose operands can never fit. What is not known until the evaluation passes. */
final class Checker {

    private final String source;
    private final ExprOptions options;
    private final boolean closed;
    private final Map<String, StaticType> locals = new HashMap<>();
    private final Deque<Scope> scopes = new ArrayDeque<>();

    private record Scope(StaticType element, StaticType accumulator) {}

    Checker(String source, ExprOptions options) {
        this.source = source;
        this.options = options;
        this.closed = !options.allowUndefinedVariables() && !options.declaredTypes().isEmpty();
    }

    /**
     * @throws ExprSyntaxException at the first operation that cannot work
     */
    void checkProgram(Node root) {
        StaticType type = type(root);
        if (options.requireBoolean() && !type.is(Kind.BOOL) && !type.isUnknown()) {
            throw new ExprSyntaxException(
                    "expected bool, but got " + type.name(), new Position(source, 0));
        }
    }

    private ExprSyntaxException error(String message, Node node) {
        return new ExprSyntaxException(message, new Position(source, node.at()));
    }

    private StaticType type(Node node) {
        return switch (node) {
            case Node.Constant constant -> StaticType.of(ExprType.of(constant.value()));
            case Node.Identifier identifier -> identifier(identifier);
            case Node.Unary unary -> unary(unary);
            case Node.Binary binary ->
                    new OperatorTypes(source)
                            .result(binary, type(binary.left()), type(binary.right()));
            // What follows may be skipped: then it is nil.
            case Node.Chain chain -> {
                type(chain.node());
                yield StaticType.UNKNOWN;
            }
            case Node.Member member -> member(member);
            case Node.Slice slice -> slice(slice);
            case Node.Call call -> call(call);
            case Node.Builtin builtin ->
                    Builtins.isPredicate(builtin.name()) ? loop(builtin) : builtin(builtin);
            case Node.Predicate predicate -> type(predicate.body());
            case Node.Pointer pointer -> pointer(pointer);
            case Node.Let let -> let(let);
            case Node.Conditional conditional -> conditional(conditional);
            case Node.ListLiteral list -> list(list);
            case Node.MapLiteral map -> {
                for (Node.Entry entry : map.entries()) {
                    type(entry.key());
                    type(entry.value());
                }
                yield StaticType.MAP;
            }
            case Node.Sequence sequence -> {
                StaticType last = StaticType.UNKNOWN;
                for (Node each : sequence.nodes()) {
                    last = type(each);
                }
                yield last;
            }
        };
    }

    private StaticType identifier(Node.Identifier identifier) {
        String name = identifier.name();
        StaticType local = locals.get(name);
        if (local != null) {
            return local;
        }
        if (name.equals("$env")) {
            return StaticType.UNKNOWN;
        }
        ExprType declared = options.declaredTypes().get(name);
        if (declared != null) {
            return StaticType.of(declared);
        }
        if (options.functions().containsKey(name) || Builtins.exists(name)) {
            return StaticType.FUNCTION;
        }
        if (closed && !Assembler.isNamespace(options, name)) {
            throw error("unknown name " + name, identifier);
        }
        return StaticType.UNKNOWN;
    }

    private StaticType unary(Node.Unary unary) {
        StaticType type = type(unary.operand());
        boolean fits =
                switch (unary.operator()) {
                    case "!", "not" -> type.is(Kind.BOOL);
                    default -> type.isNumber();
                };
        if (!fits && !type.isUnknown()) {
            throw error(
                    "invalid operation: "
                            + unary.operator()
                            + " (mismatched type "
                            + type.name()
                            + ")",
                    unary);
        }
        return type;
    }

    private StaticType member(Node.Member member) {
        StaticType object = type(member.object());
        StaticType property = type(member.property());
        if (member.object() instanceof Node.Identifier(String name, int at)
                && name.equals("$env")
                && member.property() instanceof Node.Constant(Object value, int at2)
                && value instanceof String variable
                && closed
                && !options.declaredTypes().containsKey(variable)
                && !member.optional()) {
            throw error("unknown name " + variable, member);
        }
        return switch (object.kind()) {
            case UNKNOWN, NIL -> StaticType.UNKNOWN;
            case MAP -> {
                if (object != StaticType.GROUPS
                        && !property.is(Kind.STRING)
                        && !property.isUnknown()) {
                    throw error(
                            "cannot use "
                                    + property.name()
                                    + " to get an element from "
                                    + object.name(),
                            member.property());
                }
                yield object.elementOrUnknown();
            }
            case LIST -> {
                if (!property.is(Kind.INTEGER) && !property.isUnknown()) {
                    throw error(
                            "array elements can only be selected using an integer (got "
                                    + property.name()
                                    + ")",
                            member.property());
                }
                yield object.elementOrUnknown();
            }
            case TIME, DURATION -> {
                if (property.is(Kind.STRING)) {
                    yield StaticType.UNKNOWN;
                }
                throw error(
                        "type " + object.name() + "[" + property.name() + "] is undefined", member);
            }
            case BOOL, INTEGER, FLOAT, STRING, FUNCTION ->
                    throw error(
                            "type " + object.name() + "[" + property.name() + "] is undefined",
                            member);
        };
    }

    private StaticType slice(Node.Slice slice) {
        StaticType object = type(slice.object());
        if (!object.is(Kind.STRING) && !object.is(Kind.LIST) && !object.isUnknown()) {
            throw error("cannot slice " + object.name(), slice);
        }
        bound(slice.from());
        bound(slice.to());
        return object;
    }

    private void bound(@Nullable Node bound) {
        if (bound == null) {
            return;
        }
        StaticType type = type(bound);
        if (!type.is(Kind.INTEGER) && !type.isUnknown()) {
            throw error("non-integer slice index " + type.name(), bound);
        }
    }

    private StaticType call(Node.Call call) {
        if (call.callee() instanceof Node.Identifier(String name, int at)) {
            StaticType callee = identifier(new Node.Identifier(name, at));
            if (!callee.is(Kind.FUNCTION) && !callee.isUnknown()) {
                throw error(callee.name() + " is not callable", call);
            }
        } else {
            type(call.callee());
            String left = Assembler.leftOutFunction(call);
            if (left != null) {
                throw error(left + " is not available here", call);
            }
        }
        call.arguments().forEach(this::type);
        return StaticType.UNKNOWN;
    }

    private StaticType builtin(Node.Builtin call) {
        Builtins.Signature signature = Builtins.signature(call.name());
        int given = call.arguments().size();
        if (given < signature.least()) {
            throw error("not enough arguments to call " + call.name(), call);
        }
        if (signature.most() >= 0 && given > signature.most()) {
            throw error("too many arguments to call " + call.name(), call);
        }
        List<StaticType> types = new ArrayList<>();
        for (Node argument : call.arguments()) {
            types.add(type(argument));
        }
        String parameters = signature.parameters();
        for (int i = 0; i < given; i++) {
            char parameter = parameters.charAt(Math.min(i, parameters.length() - 1));
            argument(call, i, types.get(i), parameter);
            if (parameter == 'd' && !types.get(i).isNumber()) {
                // A list may hold anything: what follows it is not looked at before the evaluation
                // either.
                break;
            }
        }
        StaticType first = given == 0 ? StaticType.UNKNOWN : types.getFirst();
        return switch (call.name()) {
            case "abs" -> first;
            case "max", "min" -> given == 1 && first.isNumber() ? first : StaticType.UNKNOWN;
            case "first", "last" -> first.elementOrUnknown();
            case "take", "reverse", "sort", "uniq" -> StaticType.listOf(first.elementOrUnknown());
            default -> signature.result();
        };
    }

    private void argument(Node.Builtin call, int index, StaticType type, char parameter) {
        boolean fits =
                type.isUnknown()
                        || switch (parameter) {
                            case 's' -> type.is(Kind.STRING);
                            case 'i', 'n' -> type.isNumber();
                            case 'p' -> type.isNumber() || type.is(Kind.STRING);
                            case 'l' -> type.is(Kind.LIST);
                            case 'm' -> type.is(Kind.MAP);
                            case 'c' ->
                                    type.is(Kind.STRING) || type.is(Kind.LIST) || type.is(Kind.MAP);
                            case 'd' -> type.isNumber() || type.is(Kind.LIST);
                            default -> true;
                        };
        if (fits) {
            return;
        }
        if (parameter == 's' || parameter == 'i') {
            throw error(
                    "cannot use "
                            + type.name()
                            + " as argument (type "
                            + (parameter == 's' ? "string" : "int")
                            + ") to call "
                            + call.name(),
                    call.arguments().get(index));
        }
        if (parameter == 'l' || parameter == 'm') {
            throw error(CollectionBuiltins.refusal(call.name(), type.name()), call);
        }
        String shown = type.is(Kind.NIL) ? "%!s(<nil>)" : type.name();
        throw error("invalid argument for " + call.name() + " (type " + shown + ")", call);
    }

    private StaticType loop(Node.Builtin call) {
        StaticType collection = type(call.arguments().getFirst());
        if (!collection.is(Kind.LIST) && !collection.isUnknown()) {
            throw error(
                    "builtin " + call.name() + " takes only array (got " + collection.name() + ")",
                    call.arguments().getFirst());
        }
        StaticType element = collection.elementOrUnknown();
        StaticType start =
                call.name().equals("reduce") && call.arguments().size() > 2
                        ? type(call.arguments().get(2))
                        : StaticType.UNKNOWN;
        StaticType result = StaticType.UNKNOWN;
        if (call.arguments().size() > 1) {
            scopes.push(new Scope(element, StaticType.UNKNOWN));
            result = type(call.arguments().get(1));
            scopes.pop();
        }
        return switch (call.name()) {
            case "all", "none", "any", "one" -> {
                requireBool(call, result);
                yield StaticType.BOOL;
            }
            case "filter" -> {
                requireBool(call, result);
                yield StaticType.listOf(element);
            }
            case "find", "findLast" -> {
                requireBool(call, result);
                yield element;
            }
            case "findIndex", "findLastIndex", "count" -> {
                requireBool(call, result);
                yield StaticType.INTEGER;
            }
            case "map" -> StaticType.listOf(result);
            case "sortBy" -> {
                if (call.arguments().size() > 2) {
                    type(call.arguments().get(2));
                }
                yield StaticType.listOf(element);
            }
            case "groupBy" -> StaticType.GROUPS;
            case "sum" -> call.arguments().size() > 1 ? number(result) : number(element);
            default -> start.isUnknown() ? result : StaticType.UNKNOWN;
        };
    }

    private static StaticType number(StaticType type) {
        return type.isNumber() ? type : StaticType.UNKNOWN;
    }

    private void requireBool(Node.Builtin call, StaticType result) {
        if (!result.is(Kind.BOOL) && !result.isUnknown()) {
            throw error(
                    "predicate should return boolean (got " + result.name() + ")",
                    call.arguments().get(1));
        }
    }

    private StaticType pointer(Node.Pointer pointer) {
        Scope scope = scopes.peek();
        return switch (pointer.name()) {
            case "" -> scope == null ? StaticType.UNKNOWN : scope.element();
            case "index" -> StaticType.INTEGER;
            case "acc" -> scope == null ? StaticType.UNKNOWN : scope.accumulator();
            default -> throw error("unknown pointer #" + pointer.name(), pointer);
        };
    }

    private StaticType let(Node.Let let) {
        String name = let.name();
        String what =
                options.declaredTypes().containsKey(name)
                        ? ""
                        : options.functions().containsKey(name)
                                ? "function "
                                : Builtins.exists(name)
                                        ? "builtin "
                                        : locals.containsKey(name) ? "variable " : null;
        if (what != null) {
            throw error("cannot redeclare " + what + name, let);
        }
        locals.put(name, type(let.value()));
        StaticType result = type(let.body());
        locals.remove(name);
        return result;
    }

    private StaticType conditional(Node.Conditional conditional) {
        StaticType condition = type(conditional.condition());
        if (!condition.is(Kind.BOOL) && !condition.isUnknown()) {
            throw error(
                    "non-bool expression (type " + condition.name() + ") used as condition",
                    conditional.condition());
        }
        StaticType yes = type(conditional.yes());
        return yes.or(type(conditional.no()));
    }

    private StaticType list(Node.ListLiteral list) {
        StaticType element = null;
        for (Node each : list.elements()) {
            StaticType type = type(each);
            element = element == null ? type : element.equals(type) ? element : StaticType.UNKNOWN;
        }
        return element == null ? StaticType.LIST : StaticType.listOf(element);
    }
}
