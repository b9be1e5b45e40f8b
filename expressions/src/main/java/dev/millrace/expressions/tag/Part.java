package dev.millrace.expressions.tag;

import java.util.List;

/** A piece of a parsed text. */
sealed interface Part {

    /** Text between tags. */
    record Literal(String text) implements Part {}

    /** <code>{{inner}}</code> without tags inside. */
    record Name(String inner, Tag.Simple tag) implements Part {
        Name(String inner) {
            this(inner, new Tag.Simple(inner.strip()));
        }
    }

    /** <code>{{inner}}</code> where the name is itself made with tags. */
    record Nested(List<Part> inner) implements Part {}

    /** <code>{{=source}}</code>. */
    record Expression(Tag.Expression tag, CompiledExpression compiled) implements Part {
        Expression(String source) {
            this(new Tag.Expression(source), new CompiledExpression(source));
        }
    }
}
