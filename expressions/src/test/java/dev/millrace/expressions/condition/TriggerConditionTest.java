package dev.millrace.expressions.condition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class TriggerConditionTest {

    private static final List<String> DECLARED =
            List.of("dep01", "dep02", "dep-04", "dep_04", "in", "a.b", "1st", "len", "not", "x");

    @ParameterizedTest
    @CsvSource(
            delimiter = '=',
            value = {
                "dep01 = dep01",
                "dep01 && dep02 = dep01&&dep02",
                "(dep01 || dep02) && dep-04 = (dep01||dep02)&&dep_04",
                "dep01&&dep02||dep-04 = dep01&&dep02||dep_04",
                "dep01 && (dep02 || (dep-04 && x)) = dep01&&(dep02||(dep_04&&x))",
                "((dep01)) = ((dep01))",
                "dep_04 = dep_04",
            })
    void aConditionIsRead(String text, String expression) {
        assertThat(TriggerCondition.parse(text, DECLARED).expression()).isEqualTo(expression);
    }

    static Stream<Arguments> refusals() {
        return Stream.of(
                Arguments.of("!dep01", "invalid operation: ! (mismatched type string) (1:1)"),
                Arguments.of(
                        "dep01 && !dep02", "invalid operation: ! (mismatched type string) (1:18)"),
                Arguments.of(
                        "dep01 and dep02",
                        "invalid operation: and (mismatched types string and string) (1:7)"),
                Arguments.of("dep01 & dep02", "unexpected token Operator(\"&\") (1:7)"),
                Arguments.of("unknown", "unknown name unknown (1:1)"),
                Arguments.of("in && dep01", "unexpected token Operator(\"in\") (1:1)"),
                Arguments.of("a.b && dep01", "unknown name a (1:1)"),
                Arguments.of("1st", "bad number syntax: \"1s\" (1:3)"),
                Arguments.of(
                        "len && x",
                        "invalid operation: + (mismatched types func(...interface {}) (interface {}, error) and string) (1:6)"),
                Arguments.of("not && x", "invalid operation: + (mismatched type string) (1:6)"),
                Arguments.of("dep01 dep02", "unexpected token Identifier(\"dep02\") (1:7)"),
                Arguments.of("", "unexpected token EOF (1:1)"));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void aTextThatIsNoConditionIsRefused(String text, String message) {
        assertThatThrownBy(() -> TriggerCondition.parse(text, DECLARED))
                .isInstanceOf(TriggerConditionException.class)
                .hasMessage(message);
    }

    @Test
    void whatComesToNoConditionIsRefusedTooThoughASensorFindsOutLater() {
        for (String text : List.of("42", "\"text\"", "dep01 + dep02", "\"1 + 1\"")) {
            assertThatThrownBy(() -> TriggerCondition.parse(text, DECLARED))
                    .as(text)
                    .isInstanceOf(TriggerConditionException.class);
        }
    }

    @Test
    void namesKeepTheirDashes() {
        TriggerCondition condition = TriggerCondition.parse("dep-04 && x", List.of("dep-04", "x"));
        assertThat(condition.expression()).isEqualTo("dep-04&&x");
        assertThat(condition.dependencies()).containsExactlyInAnyOrder("dep-04", "x");
        assertThat(condition.isSatisfiedBy(Set.of("dep-04", "x"))).isTrue();
    }

    @Test
    void andNeedsBothAndBindsTighterThanOr() {
        List<String> names = List.of("dep-1", "dep-2", "x");
        TriggerCondition both = TriggerCondition.parse("dep-1&&dep-2", names);
        TriggerCondition either = TriggerCondition.parse("dep-1||dep-2&&x", names);
        for (int bits = 0; bits < 8; bits++) {
            boolean one = (bits & 1) != 0;
            boolean two = (bits & 2) != 0;
            boolean three = (bits & 4) != 0;
            Set<String> satisfied =
                    Stream.of(one ? "dep-1" : "", two ? "dep-2" : "", three ? "x" : "")
                            .filter(name -> !name.isEmpty())
                            .collect(java.util.stream.Collectors.toSet());
            assertThat(both.isSatisfiedBy(satisfied)).as("%s", satisfied).isEqualTo(one && two);
            assertThat(either.isSatisfiedBy(satisfied))
                    .as("%s", satisfied)
                    .isEqualTo(one || (two && three));
        }
    }

    @Test
    void withoutAConditionAllDependenciesAreRequiredWhateverTheirNames() {
        TriggerCondition all = TriggerCondition.all(List.of("1st", "a.b", "in"));
        assertThat(all.isSatisfiedBy(Set.of("1st", "a.b"))).isFalse();
        assertThat(all.isSatisfiedBy(Set.of("1st", "a.b", "in", "other"))).isTrue();
        assertThat(all.expression()).isEqualTo("1st&&a.b&&in");
    }
}
