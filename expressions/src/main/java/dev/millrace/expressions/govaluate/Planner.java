package dev.millrace.expressions.govaluate;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.millrace.expressions.regex.GoRegex;
import java.util.ArrayList;
import java.util.List;

/** Checks the order of tokens and builds the tree. */
final class Planner {

    /** Parentheses within parentheses; each level takes room on the stack. */
    private static final int MAX_DEPTH = 200;

    private static final Token START = new Token(TokenKind.UNKNOWN, null);

    private final List<Token> tokens;
    private int at;
    private int depth;

    private Planner(List<Token> tokens) {
        this.tokens = tokens;
    }

    static Stage plan(List<Token> tokens) {
        checkBalance(tokens);
        checkOrder(tokens);
        return new Planner(withPatterns(tokens)).binary(0);
    }

    private static void checkBalance(List<Token> tokens) {
        int open = 0;
        for (Token token : tokens) {
            if (token.kind() == TokenKind.CLAUSE) {
                open++;
            } else if (token.kind() == TokenKind.CLAUSE_CLOSE) {
                open--;
            }
        }
        if (open != 0) {
            throw new GovaluateException("Unbalanced parenthesis");
        }
    }

    private static void checkOrder(List<Token> tokens) {
        Token last = START;
        for (Token token : tokens) {
            if (!last.kind().mayBeFollowedBy(token.kind())) {
                if (last.kind() == TokenKind.VARIABLE && token.kind() == TokenKind.CLAUSE) {
                    throw new GovaluateException("Undefined function " + last.text());
                }
                throw new GovaluateException(
                        "Cannot transition token types from "
                                + last.shown()
                                + " to "
                                + token.shown());
            }
            last = token;
        }
        if (!last.kind().mayEnd()) {
            throw new GovaluateException("Unexpected end of expression");
        }
    }

    /** A string literal to the right of {@code =~} is compiled once. */
    private static List<Token> withPatterns(List<Token> tokens) {
        List<Token> result = new ArrayList<>(tokens);
        for (int i = 0; i + 1 < result.size(); i++) {
            Token token = result.get(i);
            Token right = result.get(i + 1);
            boolean matching = "=~".equals(token.value()) || "!~".equals(token.value());
            if (token.kind() == TokenKind.COMPARATOR
                    && matching
                    && right.kind() == TokenKind.STRING) {
                result.set(i + 1, new Token(TokenKind.PATTERN, pattern(right.text())));
            }
        }
        return result;
    }

    private static Pattern pattern(String text) {
        try {
            return GoRegex.compile(text);
        } catch (PatternSyntaxException e) {
            throw new GovaluateException(String.valueOf(e.getMessage()));
        }
    }

    private Stage binary(int lowest) {
        Stage left = prefix();
        while (at < tokens.size()) {
            Operator operator = Operator.of(tokens.get(at));
            if (operator == null || operator.precedence() < lowest) {
                break;
            }
            at++;
            left = new Stage.Binary(operator, left, binary(operator.precedence() + 1));
        }
        return left;
    }

    private Stage prefix() {
        if (at < tokens.size() && tokens.get(at).kind() == TokenKind.PREFIX) {
            return new Stage.Prefix(tokens.get(at++).text(), value());
        }
        return value();
    }

    private Stage value() {
        if (at >= tokens.size()) {
            return new Stage.Literal(null);
        }
        Token token = tokens.get(at++);
        return switch (token.kind()) {
            case NUMERIC, BOOLEAN, STRING, PATTERN, TIME -> new Stage.Literal(token.value());
            case VARIABLE -> new Stage.Parameter(token.text());
            case ACCESSOR -> new Stage.Accessor(token.names());
            case CLAUSE -> clause();
            case UNKNOWN,
                    PREFIX,
                    SEPARATOR,
                    COMPARATOR,
                    LOGICALOP,
                    MODIFIER,
                    CLAUSE_CLOSE,
                    TERNARY -> {
                // An operand is missing here, as in "(1 +)"; the evaluation finds nil.
                at--;
                yield new Stage.Literal(null);
            }
        };
    }

    private Stage clause() {
        if (++depth > MAX_DEPTH) {
            throw new GovaluateException("Parentheses are nested more than " + MAX_DEPTH + " deep");
        }
        Stage inner = binary(0);
        depth--;
        at++;
        return new Stage.Clause(inner);
    }
}
