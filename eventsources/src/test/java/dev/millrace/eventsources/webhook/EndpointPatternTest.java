package dev.millrace.eventsources.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.eventsources.EntryConfigurationException;
import org.junit.jupiter.api.Test;

class EndpointPatternTest {

    @Test
    void aPlainEndpointMatchesItselfOnly() {
        EndpointPattern push = EndpointPattern.parse("/push");
        assertThat(push.isExact()).isTrue();
        assertThat(push.matches("/push")).isTrue();
        assertThat(push.matches("/push/")).isFalse();
        assertThat(push.matches("/push/x")).isFalse();
        assertThat(EndpointPattern.parse("push").matches("/push")).isTrue();
    }

    @Test
    void aVariableMatchesOneSegment() {
        EndpointPattern pattern = EndpointPattern.parse("/a.b/{team}/push");
        assertThat(pattern.matches("/a.b/x/push")).isTrue();
        assertThat(pattern.matches("/aXb/x/push")).isFalse();
        assertThat(pattern.matches("/a.b//push")).isFalse();
        assertThat(pattern.matches("/a.b/x/y/push")).isFalse();
    }

    @Test
    void aVariableMayHaveAnExpression() {
        EndpointPattern pattern = EndpointPattern.parse("/n/{id:[0-9]{2}|x}/{rest:.*}");
        assertThat(pattern.matches("/n/12/a/b")).isTrue();
        assertThat(pattern.matches("/n/x/")).isTrue();
        assertThat(pattern.matches("/n/1/a")).isFalse();
    }

    @Test
    void mistakesAreNamed() {
        assertThatThrownBy(() -> EndpointPattern.parse(""))
                .isInstanceOf(EntryConfigurationException.class)
                .hasMessageContaining("endpoint is missing");
        assertThatThrownBy(() -> EndpointPattern.parse("/{a")).hasMessageContaining("brace");
        assertThatThrownBy(() -> EndpointPattern.parse("/a}")).hasMessageContaining("brace");
        assertThatThrownBy(() -> EndpointPattern.parse("/{a:(}"))
                .hasMessageContaining("no valid expression");
    }

    @Test
    void pathsAreCleanedAsGoDoes() {
        assertThat(RequestPath.clean("/push")).isEqualTo("/push");
        assertThat(RequestPath.clean("//push")).isEqualTo("/push");
        assertThat(RequestPath.clean("/push/")).isEqualTo("/push/");
        assertThat(RequestPath.clean("/a/./b/../c//")).isEqualTo("/a/c/");
        assertThat(RequestPath.clean("/..")).isEqualTo("/");
        assertThat(RequestPath.clean("/")).isEqualTo("/");
    }
}
