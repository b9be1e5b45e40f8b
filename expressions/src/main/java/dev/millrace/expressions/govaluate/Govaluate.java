package dev.millrace.expressions.govaluate;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A parsed condition. Immutable; any number of threads may evaluate it at once. */
public final class Govaluate {

    private static final Object ABSENT = new Object();

    private final Stage root;
    private final Set<String> parameters;

    private Govaluate(List<Token> tokens) {
        this.root = Planner.plan(tokens);
        this.parameters =
                tokens.stream()
                        .filter(token -> token.kind() == TokenKind.VARIABLE)
                        .map(Token::text)
                        .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Parses a condition.
     *
     * @throws GovaluateException if it is none
     */
    public static Govaluate parse(String text) {
        return new Govaluate(Tokenizer.tokenize(text));
    }

    /**
     * Parses a condition whose bare words and bracketed names are strings instead of parameters.
     *
     * @throws GovaluateException if it is none
     */
    public static Govaluate parseWithBareWordsAsStrings(String text) {
        return new Govaluate(wordsAsStrings(Tokenizer.tokenize(text)));
    }

    static List<Token> wordsAsStrings(List<Token> tokens) {
        return tokens.stream()
                .map(
                        token ->
                                token.kind() == TokenKind.VARIABLE
                                        ? new Token(TokenKind.STRING, token.value())
                                        : token)
                .toList();
    }

    static Govaluate of(List<Token> tokens) {
        return new Govaluate(tokens);
    }

    /** The names of the parameters that the text mentions. */
    public Set<String> parameters() {
        return parameters;
    }

    /**
     * Evaluates over parameters: doubles (other numbers are converted), strings, booleans, lists,
     * null. A name that is not in the map is an error.
     *
     * @return a double, string, boolean, list or null
     * @throws GovaluateException if an operator refuses its operands or a parameter is missing
     */
    public @Nullable Object evaluate(Map<String, ? extends @Nullable Object> parameters) {
        return new Evaluation(
                        name -> parameters.containsKey(name) ? parameters.get(name) : ABSENT,
                        ABSENT)
                .run(root);
    }

    /**
     * Evaluates over parameters that are looked up only when they are needed.
     *
     * @param parameters gives a value; null if there is no such parameter
     * @return as {@link #evaluate(Map)}
     * @throws GovaluateException as {@link #evaluate(Map)}
     */
    public @Nullable Object evaluate(Function<String, ? extends @Nullable Object> parameters) {
        return new Evaluation(
                        name -> {
                            Object value = parameters.apply(name);
                            return value == null ? ABSENT : value;
                        },
                        ABSENT)
                .run(root);
    }
}
