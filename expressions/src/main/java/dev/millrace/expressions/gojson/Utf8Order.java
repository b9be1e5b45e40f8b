package dev.millrace.expressions.gojson;

import java.util.Comparator;

/** The order of strings by their UTF-8 bytes, which is that of their code points. */
enum Utf8Order implements Comparator<String> {
    INSTANCE;

    @Override
    public int compare(String a, String b) {
        int length = Math.min(a.length(), b.length());
        for (int i = 0; i < length; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x != y) {
                boolean surrogates = Character.isSurrogate(x) != Character.isSurrogate(y);
                // A surrogate stands for a code point above all others.
                return surrogates ? (Character.isSurrogate(x) ? 1 : -1) : Character.compare(x, y);
            }
        }
        return Integer.compare(a.length(), b.length());
    }
}
