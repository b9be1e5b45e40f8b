package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.log.plain.Positions;
import dev.millrace.server.command.RefusedException;
import dev.millrace.server.readmodel.WorkflowRows.Row;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueryTest {

    private static final Row ROW =
            new Row(
                    "argo",
                    "hello-abc",
                    "uid",
                    Positions.START,
                    "Failed",
                    Instant.parse("2026-01-01T10:00:00Z"),
                    null,
                    Instant.parse("2026-01-01T11:00:00Z"),
                    Map.of("team", "a"));

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "listOptions.fieldSelector metadata.name=hello-abc true",
                "listOptions.fieldSelector metadata.name=hello false",
                "listOptions.fieldSelector metadata.namespace=argo,status.phase!=Failed false",
                "listOptions.labelSelector team=a true",
                "listOptions.labelSelector team=b false",
                "createdAfter 2026-01-01T09:00:00Z true",
                "createdAfter 2026-01-01T10:30:00Z false",
                "finishedBefore 2026-01-01T12:00:00Z true",
                "finishedBefore 2026-01-01T10:30:00Z false"
            })
    void selectsWorkflows(String parameter, String value, boolean selected) {
        assertThat(query(Map.of(parameter, value)).selection().matches(ROW)).isEqualTo(selected);
    }

    @ParameterizedTest
    @CsvSource({
        "Prefix,hello,true",
        "Prefix,abc,false",
        "Contains,lo-a,true",
        "Contains,xyz,false",
        "Exact,hello,false"
    })
    void comparesNamesAsTheFilterSays(String filter, String name, boolean selected) {
        Query query =
                query(
                        Map.of(
                                "nameFilter",
                                filter,
                                "listOptions.fieldSelector",
                                "metadata.name=" + name));
        assertThat(query.selection().matches(ROW)).isEqualTo(selected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "listOptions.fieldSelector spec.x=1",
                "listOptions.fieldSelector metadata.name",
                "listOptions.labelSelector a~b",
                "createdAfter yesterday"
            })
    void refusesConditionsThatItDoesNotKnow(String parameter, String value) {
        assertThatThrownBy(() -> query(Map.of(parameter, value)).selection())
                .isInstanceOf(RefusedException.class);
    }

    @Test
    void aListIsCutIntoPagesThatJoinWithoutAGap() {
        List<Integer> all = List.of(0, 1, 2, 3, 4);
        Query.Page<Integer> first = Query.Page.of(all, 0, Optional.of(2));
        assertThat(first).isEqualTo(new Query.Page<>(List.of(0, 1), "2", 3));
        Query.Page<Integer> last = Query.Page.of(all, 4, Optional.of(2));
        assertThat(last).isEqualTo(new Query.Page<>(List.of(4), "", 0));
        assertThat(Query.Page.of(all, 9, Optional.of(2)).items()).isEmpty();
        assertThat(Query.Page.of(all, 0, Optional.empty()).items()).isEqualTo(all);
    }

    @Test
    void numbersThatAreNoneAreNamed() {
        assertThatThrownBy(() -> query(Map.of("listOptions.limit", "-1")).limit())
                .hasMessageContaining("listOptions.limit=-1");
        assertThat(query(Map.of("listOptions.limit", "0")).limit()).isEmpty();
    }

    private static Query query(Map<String, String> parameters) {
        return new Query(parameters::get);
    }
}
