package dev.millrace.schemas.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.millrace.schemas.workflow.Scalar;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class ShapesTest {

    record Everything(
            String text,
            @Nullable String optional,
            int whole,
            @Nullable Long large,
            @Nullable Double number,
            Boolean flag,
            JsonNode free,
            Scalar scalar,
            List<List<Everything>> nested,
            Map<String, Other> map,
            @JsonProperty("default") @Nullable String renamed) {}

    record Other(@Nullable Everything back) {}

    record Wrong(Instant at) {}

    @Test
    void everyComponentBecomesAFieldWithItsShape() {
        assertThat(new Shapes(List.of(Everything.class)).fields(Everything.class))
                .containsExactly(
                        new Shape.Field("text", new Shape.Text(), true),
                        new Shape.Field("optional", new Shape.Text(), false),
                        new Shape.Field(
                                "whole",
                                new Shape.Whole(Integer.MIN_VALUE, Integer.MAX_VALUE),
                                false),
                        new Shape.Field(
                                "large", new Shape.Whole(Long.MIN_VALUE, Long.MAX_VALUE), false),
                        new Shape.Field("number", new Shape.Decimal(), false),
                        new Shape.Field("flag", new Shape.Flag(), true),
                        new Shape.Field("free", new Shape.Free(), true),
                        new Shape.Field("scalar", new Shape.AnyScalar(), true),
                        new Shape.Field(
                                "nested",
                                new Shape.ListOf(
                                        new Shape.ListOf(new Shape.Struct(Everything.class))),
                                false),
                        new Shape.Field(
                                "map", new Shape.MapOf(new Shape.Struct(Other.class)), false),
                        new Shape.Field("default", new Shape.Text(), false));
    }

    @Test
    void recordsReachableFromARootAreDescribedToo() {
        assertThat(new Shapes(List.of(Everything.class)).fields(Other.class)).hasSize(1);
    }

    @Test
    void aComponentThatManifestsCannotHaveIsAMistakeOfTheRecords() {
        assertThatThrownBy(() -> new Shapes(List.of(Wrong.class)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Instant");
    }
}
