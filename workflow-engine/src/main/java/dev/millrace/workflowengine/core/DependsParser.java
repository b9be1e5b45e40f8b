package dev.millrace.workflowengine.core;

import java.util.ArrayList;
import java.util.List;

/** Recursive descent over {@code depends}: or of and of not of names and parentheses. */
final class DependsParser {
    private final String text;
    private int at;

    DependsParser(String text) {
        this.text = text;
    }

    Depends parse() {
        Depends whole = or();
        blanks();
        if (at < text.length()) {
            throw error("unexpected '" + text.charAt(at) + "'");
        }
        return whole;
    }

    private Depends or() {
        List<Depends> any = new ArrayList<>(List.of(and()));
        while (eat("||")) {
            any.add(and());
        }
        return any.size() == 1 ? any.getFirst() : new Depends.Or(List.copyOf(any));
    }

    private Depends and() {
        List<Depends> all = new ArrayList<>(List.of(not()));
        while (eat("&&")) {
            all.add(not());
        }
        return all.size() == 1 ? all.getFirst() : new Depends.And(List.copyOf(all));
    }

    private Depends not() {
        if (eat("!")) {
            return new Depends.Not(not());
        }
        if (eat("(")) {
            Depends inner = or();
            if (!eat(")")) {
                throw error("expected ')'");
            }
            return inner;
        }
        return name();
    }

    private Depends name() {
        blanks();
        int start = at;
        while (at < text.length()
                && (Character.isLetterOrDigit(text.charAt(at))
                        || "-_".indexOf(text.charAt(at)) >= 0)) {
            at++;
        }
        if (start == at) {
            throw error(
                    at < text.length()
                            ? "expected a task name, found '" + text.charAt(at) + "'"
                            : "expected a task name at the end");
        }
        String task = text.substring(start, at);
        if (at < text.length() && text.charAt(at) == '.') {
            int from = ++at;
            while (at < text.length() && Character.isLetterOrDigit(text.charAt(at))) {
                at++;
            }
            String result = text.substring(from, at);
            for (Depends.Result r : Depends.Result.values()) {
                if (r.text().equals(result)) {
                    return new Depends.TaskResult(task, r);
                }
            }
            throw new IllegalArgumentException(
                    "task result '" + result + "' for task '" + task + "' is invalid");
        }
        return new Depends.Task(task);
    }

    private boolean eat(String token) {
        blanks();
        if (text.startsWith(token, at)) {
            at += token.length();
            return true;
        }
        return false;
    }

    private void blanks() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private IllegalArgumentException error(String what) {
        return new IllegalArgumentException(
                "depends '" + text + "': " + what + " (column " + (at + 1) + ")");
    }
}
