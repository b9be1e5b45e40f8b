package dev.millrace.expressions.expr;

import dev.millrace.expressions.expr.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Builds the syntax tree by precedence climbing. */
final class Parser {

    private static final int MAX_DEPTH = 256;
    private static final int NO_OPERATOR = -1;

    private static final Set<String> NEGATABLE =
            Set.of("in", "matches", "contains", "startsWith", "endsWith");
    private static final Set<String> COMPARISONS = Set.of("<", ">", "<=", ">=");

    private final String source;
    private final List<Token> tokens;
    private final Predicate<String> overridden;
    private int position;
    private Token current;
    private int predicateDepth;
    private int nesting;

    private Parser(String source, Predicate<String> overridden) {
        this.source = source;
        this.tokens = Lexer.tokens(source);
        this.overridden = overridden;
        this.current = tokens.getFirst();
    }

    /**
     * @param overridden names that hide a built-in function of the same name
     */
    static Node parse(String source, Predicate<String> overridden) {
        Parser parser = new Parser(source, overridden);
        Node node = parser.sequence();
        if (!parser.current.is(Kind.END)) {
            throw parser.unexpected();
        }
        TreeSize.check(node, source);
        return node;
    }

    private static int binaryStrength(String operator) {
        return switch (operator) {
            case "|" -> 0;
            case "or", "||" -> 10;
            case "and", "&&" -> 15;
            case "==", "!=", "<", ">", "<=", ">=" -> 20;
            case "in", "matches", "contains", "startsWith", "endsWith" -> 20;
            case ".." -> 25;
            case "+", "-" -> 30;
            case "*", "/", "%" -> 60;
            case "**", "^" -> 100;
            case "??" -> 500;
            default -> NO_OPERATOR;
        };
    }

    private static int unaryStrength(String operator) {
        return switch (operator) {
            case "not", "!" -> 50;
            case "-", "+" -> 90;
            default -> NO_OPERATOR;
        };
    }

    private void advance() {
        position = Math.min(position + 1, tokens.size() - 1);
        current = tokens.get(position);
    }

    private void expectOperator(String operator) {
        if (!current.operator(operator)) {
            throw unexpected();
        }
        advance();
    }

    private void expectBracket(String bracket) {
        if (!current.bracket(bracket)) {
            throw unexpected();
        }
        advance();
    }

    private Token expectIdentifier() {
        Token token = current;
        if (!token.is(Kind.IDENTIFIER)) {
            throw unexpected();
        }
        advance();
        return token;
    }

    private Node sequence() {
        int at = current.at();
        List<Node> nodes = new ArrayList<>();
        nodes.add(expression(0));
        while (current.operator(";")) {
            advance();
            if (current.is(Kind.END)) {
                break;
            }
            nodes.add(expression(0));
        }
        return nodes.size() == 1 ? nodes.getFirst() : new Node.Sequence(nodes, at);
    }

    private Node expression(int precedence) {
        if (++nesting > MAX_DEPTH) {
            throw error("the expression is nested too deeply", current.at());
        }
        try {
            if (precedence == 0 && current.operator("let")) {
                return let();
            }
            if (precedence == 0 && current.operator("if")) {
                return ifElse();
            }
            Node node = operators(primary(), precedence);
            return precedence == 0 ? conditional(node) : node;
        } finally {
            nesting--;
        }
    }

    private Node operators(Node first, int precedence) {
        Node left = first;
        String previous = "";
        while (current.is(Kind.OPERATOR)) {
            Token operator = current;
            boolean negated = operator.operator("not");
            if (negated) {
                Token suffix = tokens.get(Math.min(position + 1, tokens.size() - 1));
                if (!NEGATABLE.contains(suffix.text()) || !suffix.is(Kind.OPERATOR)) {
                    advance();
                    throw unexpected();
                }
                operator = suffix;
            }
            int strength = binaryStrength(operator.text());
            if (strength == NO_OPERATOR || strength < precedence) {
                return left;
            }
            if (negated) {
                advance();
            }
            advance();
            if (previous.equals("??")
                    && !operator.text().equals("??")
                    && !operator.text().equals("|")) {
                throw error(
                        "Operator (??) and coalesce expressions ("
                                + operator.text()
                                + ") cannot be mixed. Wrap either by parentheses.",
                        operator.at());
            }
            left = binary(left, operator, strength);
            if (negated) {
                left = new Node.Unary("not", left, operator.at());
            }
            previous = operator.text();
        }
        return left;
    }

    private Node binary(Node left, Token operator, int strength) {
        if (operator.text().equals("|")) {
            return postfix(call(expectIdentifier(), List.of(left), true));
        }
        if (COMPARISONS.contains(operator.text())) {
            return comparison(left, operator, strength);
        }
        boolean rightFirst = operator.text().equals("**") || operator.text().equals("^");
        Node right = expression(rightFirst ? strength : strength + 1);
        return new Node.Binary(operator.text(), left, right, operator.at());
    }

    /** {@code 1 < x <= 9} is {@code 1 < x && x <= 9}. */
    private Node comparison(Node first, Token firstOperator, int strength) {
        Node left = first;
        Token operator = firstOperator;
        Node whole = null;
        while (true) {
            Node right = expression(strength + 1);
            Node part = new Node.Binary(operator.text(), left, right, operator.at());
            whole = whole == null ? part : new Node.Binary("&&", whole, part, operator.at());
            left = right;
            operator = current;
            if (!operator.is(Kind.OPERATOR) || !COMPARISONS.contains(operator.text())) {
                return whole;
            }
            advance();
        }
    }

    private Node conditional(Node first) {
        Node node = first;
        while (current.operator("?")) {
            int at = current.at();
            advance();
            Node yes = node;
            if (current.operator(":")) {
                advance();
            } else {
                yes = expression(0);
                expectOperator(":");
            }
            node = new Node.Conditional(node, yes, expression(0), at);
        }
        return node;
    }

    private Node let() {
        advance();
        Token name = expectIdentifier();
        expectOperator("=");
        Node value = expression(0);
        expectOperator(";");
        return new Node.Let(name.text(), value, sequence(), name.at());
    }

    private Node ifElse() {
        int at = current.at();
        advance();
        Node condition = expression(0);
        Node yes = block();
        expectOperator("else");
        // Through expression(), which counts how deep it is.
        Node no = current.operator("if") ? expression(0) : block();
        return new Node.Conditional(condition, yes, no, at);
    }

    private Node block() {
        expectBracket("{");
        Node body = sequence();
        expectBracket("}");
        return body;
    }

    private Node primary() {
        Token token = current;
        if (token.is(Kind.OPERATOR)) {
            int strength = unaryStrength(token.text());
            if (strength != NO_OPERATOR) {
                advance();
                return postfix(new Node.Unary(token.text(), expression(strength), token.at()));
            }
            if (predicateDepth > 0 && (token.text().equals("#") || token.text().equals("."))) {
                return pointer(token);
            }
            if (token.text().equals("::")) {
                advance();
                return postfix(call(expectIdentifier(), List.of(), false));
            }
        }
        if (token.bracket("(")) {
            advance();
            Node inner = sequence();
            expectBracket(")");
            return postfix(inner);
        }
        return secondary(token);
    }

    private Node pointer(Token token) {
        String name = "";
        // A leading dot stays: it starts the member access on the element.
        if (token.text().equals("#")) {
            advance();
            if (current.is(Kind.IDENTIFIER)) {
                name = current.text();
                advance();
            }
        }
        return postfix(new Node.Pointer(name, token.at()));
    }

    private Node secondary(Token token) {
        return switch (token.kind()) {
            case IDENTIFIER -> {
                advance();
                yield switch (token.text()) {
                    case "true" -> new Node.Constant(true, token.at());
                    case "false" -> new Node.Constant(false, token.at());
                    case "nil" -> new Node.Constant(null, token.at());
                    default ->
                            postfix(
                                    current.bracket("(")
                                            ? call(token, List.of(), true)
                                            : new Node.Identifier(token.text(), token.at()));
                };
            }
            case NUMBER -> {
                advance();
                yield new Node.Constant(number(token), token.at());
            }
            case STRING -> {
                advance();
                yield postfix(new Node.Constant(token.text(), token.at()));
            }
            case BRACKET ->
                    switch (token.text()) {
                        case "[" -> postfix(list());
                        case "{" -> postfix(map());
                        default -> throw unexpected();
                    };
            case OPERATOR, END -> throw unexpected();
        };
    }

    private Object number(Token token) {
        String text = token.text().replace("_", "").toLowerCase(Locale.ROOT);
        String kind = "integer";
        try {
            if (text.startsWith("0x")) {
                kind = "hex";
                return Long.parseLong(text.substring(2), 16);
            }
            if (text.startsWith("0b")) {
                kind = "binary";
                return Long.parseLong(text.substring(2), 2);
            }
            if (text.startsWith("0o")) {
                kind = "octal";
                return Long.parseLong(text.substring(2), 8);
            }
            if (text.indexOf('.') >= 0 || text.indexOf('e') >= 0) {
                kind = "float";
                double value = Double.parseDouble(text);
                if (Double.isInfinite(value)) {
                    throw new NumberFormatException("out of range");
                }
                return value;
            }
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw error("invalid " + kind + " literal: " + token.text(), token.at());
        }
    }

    private Node call(Token name, List<Node> piped, boolean mayBeOverridden) {
        boolean builtin = !(mayBeOverridden && overridden.test(name.text()));
        List<Node> arguments = new ArrayList<>(piped);
        if (builtin && Builtins.isPredicate(name.text())) {
            predicateArguments(Builtins.predicateArguments(name.text()), arguments);
            return new Node.Builtin(name.text(), arguments, name.at());
        }
        arguments(arguments);
        return builtin && Builtins.exists(name.text())
                ? new Node.Builtin(name.text(), arguments, name.at())
                : new Node.Call(new Node.Identifier(name.text(), name.at()), arguments, name.at());
    }

    private void arguments(List<Node> arguments) {
        expectBracket("(");
        boolean first = true;
        while (!current.bracket(")")) {
            if (!first) {
                expectOperator(",");
                if (current.bracket(")")) {
                    break;
                }
            }
            first = false;
            arguments.add(expression(0));
        }
        expectBracket(")");
    }

    private void predicateArguments(List<Builtins.Argument> wanted, List<Node> arguments) {
        expectBracket("(");
        boolean first = true;
        for (Builtins.Argument argument : wanted.subList(arguments.size(), wanted.size())) {
            if (argument.optional() && current.bracket(")")) {
                break;
            }
            if (!first) {
                expectOperator(",");
                if (argument.optional() && current.bracket(")")) {
                    break;
                }
            }
            first = false;
            arguments.add(argument.predicate() ? predicate() : expression(0));
        }
        if (current.operator(",")) {
            advance();
        }
        expectBracket(")");
    }

    private Node predicate() {
        int at = current.at();
        boolean braces = current.bracket("{");
        if (braces) {
            advance();
        }
        predicateDepth++;
        Node body = braces ? sequence() : expression(0);
        if (!braces && current.operator(";")) {
            throw error("wrap predicate with brackets { and }", current.at());
        }
        predicateDepth--;
        if (braces) {
            expectBracket("}");
        }
        return new Node.Predicate(body, at);
    }

    private Node list() {
        int at = current.at();
        advance();
        List<Node> elements = new ArrayList<>();
        while (!current.bracket("]")) {
            if (!elements.isEmpty()) {
                expectOperator(",");
                if (current.bracket("]")) {
                    break;
                }
            }
            elements.add(expression(0));
        }
        expectBracket("]");
        return new Node.ListLiteral(elements, at);
    }

    private Node map() {
        int at = current.at();
        advance();
        List<Node.Entry> entries = new ArrayList<>();
        while (!current.bracket("}")) {
            if (!entries.isEmpty()) {
                expectOperator(",");
                if (current.bracket("}")) {
                    break;
                }
            }
            Node key = mapKey();
            expectOperator(":");
            entries.add(new Node.Entry(key, expression(0)));
        }
        expectBracket("}");
        return new Node.MapLiteral(entries, at);
    }

    private Node mapKey() {
        Token token = current;
        if (token.is(Kind.NUMBER) || token.is(Kind.STRING) || token.is(Kind.IDENTIFIER)) {
            advance();
            return new Node.Constant(token.text(), token.at());
        }
        if (token.bracket("(")) {
            return expression(0);
        }
        throw error(
                "a map key must be a quoted string, a number, a identifier, or an expression enclosed in parentheses"
                        + " (unexpected token "
                        + token.shown()
                        + ")",
                token.at());
    }

    private Node postfix(Node start) {
        Node node = start;
        while (true) {
            Token token = current;
            if (token.operator(".") || token.operator("?.")) {
                boolean optional = token.text().equals("?.");
                advance();
                node =
                        optional && current.bracket("[")
                                ? index(node, true)
                                : member(node, optional);
            } else if (token.bracket("[")) {
                node = index(node, false);
            } else {
                return node;
            }
        }
    }

    private Node member(Node object, boolean optional) {
        Token property = current;
        boolean name =
                property.is(Kind.IDENTIFIER)
                        || (property.is(Kind.OPERATOR)
                                && Character.isLetter(property.text().charAt(0)));
        advance();
        if (!name) {
            throw error("expected name", current.at());
        }
        boolean chained = object instanceof Node.Chain;
        Node inner = object instanceof Node.Chain chain ? chain.node() : object;
        Node result =
                new Node.Member(
                        inner,
                        new Node.Constant(property.text(), property.at()),
                        optional,
                        property.at());
        if (current.bracket("(")) {
            List<Node> arguments = new ArrayList<>();
            arguments(arguments);
            result = new Node.Call(result, arguments, property.at());
        }
        return chained || optional ? new Node.Chain(result, property.at()) : result;
    }

    private Node index(Node object, boolean optional) {
        int at = current.at();
        advance();
        @Nullable Node from = null;
        if (!current.operator(":")) {
            from = expression(0);
            if (!current.operator(":")) {
                expectBracket("]");
                Node result = new Node.Member(object, from, optional, at);
                return optional ? new Node.Chain(result, at) : result;
            }
        }
        expectOperator(":");
        @Nullable Node to = current.bracket("]") ? null : expression(0);
        expectBracket("]");
        return new Node.Slice(object, from, to, at);
    }

    private ExprSyntaxException unexpected() {
        return error("unexpected token " + current.shown(), current.at());
    }

    private ExprSyntaxException error(String message, int at) {
        return new ExprSyntaxException(message, new Position(source, at));
    }
}
