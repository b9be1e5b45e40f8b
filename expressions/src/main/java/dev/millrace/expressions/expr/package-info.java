/**
 * The expression language of workflow tags, trigger conditions and event filters: the language of
 * expr-lang. A source text goes through the lexer, the parser, the type checker and the assembler,
 * which turns the tree into closures; the result is an immutable {@link
 * dev.millrace.expressions.expr.ExprProgram} that any thread may evaluate. Start reading at {@code
 * ExprProgram}, then {@code Parser}, {@code Checker} and {@code Assembler}.
 */
@NullMarked
package dev.millrace.expressions.expr;

import org.jspecify.annotations.NullMarked;
