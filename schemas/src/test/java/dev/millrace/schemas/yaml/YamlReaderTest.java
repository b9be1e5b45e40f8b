package dev.millrace.schemas.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.Json;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

class YamlReaderTest {

    @Test
    void aTextMayHoldSeveralDocumentsAndEmptyOnesAreSkipped() {
        Documents documents =
                YamlReader.read(
                        "f.yaml",
                        """
                # only a comment
                ---
                a: 1
                ---
                ---
                # nothing
                ---
                ~
                ---
                b: 2
                ...
                """);

        assertThat(documents.faults()).isEmpty();
        assertThat(documents.documents())
                .extracting(d -> d.tree().toString())
                .containsExactly("{\"a\":1}", "{\"b\":2}");
        assertThat(documents.documents().get(1).places().of(DocumentPath.ROOT.key("b")))
                .hasToString("f.yaml:10:1");
    }

    @Test
    void nothingIsNoDocument() {
        assertThat(YamlReader.read("f", "").documents()).isEmpty();
        assertThat(YamlReader.read("f", " \n# x\n").documents()).isEmpty();
    }

    @Test
    void placesTellTheLineAndColumnOfKeysAndItems() {
        Places places =
                document(
                                """
                spec:
                  templates:
                    - name: a
                      args: [x, "y"]
                    - "a/b": {c: 1}
                """)
                        .places();
        DocumentPath templates = DocumentPath.ROOT.key("spec").key("templates");

        assertThat(places.start()).hasToString("f.yaml:1:1");
        assertThat(places.of(templates)).hasToString("f.yaml:2:3");
        assertThat(places.of(templates.index(0))).hasToString("f.yaml:3:7");
        assertThat(places.of(templates.index(0).key("args").index(1))).hasToString("f.yaml:4:17");
        assertThat(places.of(templates.index(1).key("a/b").key("c"))).hasToString("f.yaml:5:15");
        assertThat(places.of(JsonPointer.compile("/spec/templates/1/a~1b/c")))
                .hasToString("f.yaml:5:15");
    }

    @Test
    void thePlaceOfWhatIsAbsentIsThatOfItsNearestAncestor() {
        Places places = document("a:\n  b: 1\n").places();

        assertThat(places.of(DocumentPath.ROOT.key("a").key("x").index(3)))
                .hasToString("f.yaml:1:1");
        assertThat(places.of(DocumentPath.ROOT.key("z"))).hasToString("f.yaml:1:1");
    }

    @Test
    void columnsCountCodePoints() {
        Places places = document("{\"😀\": 1, b: 2}").places();

        assertThat(places.of(DocumentPath.ROOT.key("b"))).hasToString("f.yaml:1:10");
    }

    @Test
    void jsonIsReadToo() {
        assertThat(document("{\n\t\"a\": [1, true, null, \"x\\u0041\\/\"]\n}").tree())
                .isEqualTo(Json.mapper().readTree("{\"a\": [1, true, null, \"xA/\"]}"));
    }

    @Test
    void aByteOrderMarkAndWindowsLineEndsDoNotMatter() {
        Document document = document("\uFEFFa: 1\r\nb: |\r\n  x\r\n  y\r\n");

        assertThat(document.tree()).hasToString("{\"a\":1,\"b\":\"x\\ny\\n\"}");
        assertThat(document.places().of(DocumentPath.ROOT.key("b"))).hasToString("f.yaml:2:1");
    }

    @Test
    void keysAreTexts() {
        assertThat(document("{on: 1, 0x10: 2, 1.5: 3, 2020-01-01: 4, '~': 5, 1e30: 6}").tree())
                .hasToString(
                        "{\"true\":1,\"16\":2,\"1.5\":3,\"2020-01-01\":4,\"~\":5,\"1e+30\":6}");
        assertThat(fault("? [a]\n: 1").message()).contains("a key must be a text");
        assertThat(fault("~: 1").message()).contains("not null");
    }

    @Test
    void aDuplicateKeyIsAFaultThatNamesBothLinesAndTheLaterValueStands() {
        Document document =
                document(
                        """
                a: 1
                b:
                  c: 1
                  d: 2
                  c: 3
                """);

        assertThat(document.faults())
                .singleElement()
                .satisfies(
                        fault -> {
                            assertThat(fault.place()).hasToString("f.yaml:5:3");
                            assertThat(fault.path()).hasToString("b.c");
                            assertThat(fault.message())
                                    .contains("'c'")
                                    .contains("line 3")
                                    .contains("line 5");
                        });
        assertThat(document.tree().at("/b/c").intValue()).isEqualTo(3);
    }

    @Test
    void keysThatDifferOnlyInSpellingAreDuplicates() {
        assertThat(document("{yes: 1, 'true': 2}").faults()).hasSize(1);
    }

    @Test
    void aliasesRepeatWhatTheirAnchorMarks() {
        assertThat(document("a: &x {k: [1]}\nb: *x\nc: &s text\nd: *s\n").tree())
                .hasToString("{\"a\":{\"k\":[1]},\"b\":{\"k\":[1]},\"c\":\"text\",\"d\":\"text\"}");
    }

    @Test
    void copiesMadeByAliasesAreIndependent() {
        JsonNode tree = document("a: &x {k: 1}\nb: *x\n").tree();

        assertThat(tree.get("a")).isNotSameAs(tree.get("b"));
    }

    @Test
    void mergedMembersGiveWayToOwnOnesAndToEarlierSources() {
        JsonNode tree =
                document(
                                """
                one: &one {a: 1, b: 1}
                two: &two {b: 2, c: 2, <<: *one}
                merged:
                  c: own
                  <<: [*one, *two]
                  d: own
                chained: {<<: *two}
                quoted: {'<<': 1}
                """)
                        .tree();

        assertThat(tree.get("merged")).hasToString("{\"c\":\"own\",\"d\":\"own\",\"a\":1,\"b\":1}");
        assertThat(tree.get("chained")).hasToString("{\"b\":2,\"c\":2,\"a\":1}");
        assertThat(tree.get("quoted")).hasToString("{\"<<\":1}");
        assertThat(fault("a: {<<: 1}").message()).contains("'<<' takes an object");
    }

    @Test
    void aMergedMemberStandsWhereItIsWritten() {
        Places places = document("base: &b\n  x: {z: 1}\nuse:\n  <<: *b\n").places();

        assertThat(places.of(DocumentPath.ROOT.key("use").key("x").key("z")))
                .hasToString("f.yaml:2:7");
    }

    @Test
    void anAliasBombIsRefusedQuickly() {
        String bomb =
                "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
                        + IntStream.range(1, 30)
                                .mapToObj(
                                        i ->
                                                "a"
                                                        + i
                                                        + ": &a"
                                                        + i
                                                        + " ["
                                                        + String.join(
                                                                ", ",
                                                                Collections.nCopies(
                                                                        10, "*a" + (i - 1)))
                                                        + "]\n")
                                .collect(Collectors.joining());

        assertThat(fault(bomb).message()).contains("expands to more than 200000 values");
    }

    @Test
    void aMergeBombIsRefused() {
        String bomb =
                "a0: &a0 {k: 1}\n"
                        + IntStream.range(1, 60)
                                .mapToObj(
                                        i ->
                                                "a"
                                                        + i
                                                        + ": &a"
                                                        + i
                                                        + " {<<: ["
                                                        + String.join(
                                                                ", ",
                                                                Collections.nCopies(
                                                                        10, "*a" + (i - 1)))
                                                        + "]}\n")
                                .collect(Collectors.joining());

        assertThat(fault(bomb).message()).contains("expands to more than");
    }

    @Test
    void aValueThatContainsItselfIsRefused() {
        assertThat(fault("a: &x\n  b: [*x]\n").message()).contains("contains it");
        assertThat(fault("a: &x\n  <<: *x\n").message()).contains("contains it");
    }

    @Test
    void deepNestingIsRefusedWithItsPlaceAndWithoutAnOverflow() {
        assertThat(fault("[".repeat(100_000)).message()).contains("nested deeper than 100 levels");
        assertThat(fault("- ".repeat(5_000) + "x").message())
                .contains("nested deeper than 100 levels");
        assertThat(fault("{a: ".repeat(5_000)).place()).hasToString("f.yaml:1:401");
        assertThat(document("[".repeat(100) + "]".repeat(100)).faults()).isEmpty();
    }

    @Test
    void aliasesCannotNestDeeperThanTheLimit() {
        String text =
                "a0: &a0 [x]\n"
                        + IntStream.range(1, 200)
                                .mapToObj(i -> "a" + i + ": &a" + i + " [*a" + (i - 1) + "]\n")
                                .collect(Collectors.joining());

        assertThat(fault(text).message()).contains("nested deeper than 100 levels");
    }

    @Test
    void aTextOverTheLimitIsNotEvenLookedAt() {
        Documents documents =
                YamlReader.read("f.yaml", "a: " + "x".repeat(100), new YamlLimits(50, 10, 10));

        assertThat(documents.faults())
                .singleElement()
                .satisfies(
                        fault ->
                                assertThat(fault.message())
                                        .isEqualTo(
                                                "the text has 103 characters, more than the limit of 50"));
    }

    @Test
    void wrongSyntaxIsAFaultAtItsLineAndEarlierDocumentsAreKept() {
        Documents documents = YamlReader.read("f.yaml", "a: 1\n---\nb: 2\nc: d: e\n");

        assertThat(documents.documents()).hasSize(1);
        assertThat(documents.faults())
                .singleElement()
                .satisfies(
                        fault -> {
                            assertThat(fault.place()).hasToString("f.yaml:4:5");
                            assertThat(fault.message())
                                    .contains("mapping values are not allowed here");
                            assertThat(fault.hint()).contains("quote");
                        });
    }

    @Test
    void tabsUnknownAliasesAndControlCharactersAreExplained() {
        assertThat(fault("a:\n\tb: 1\n").place().line()).isEqualTo(2);
        assertThat(fault("a:\n\tb: 1\n").hint()).contains("spaces");
        assertThat(fault("a: *nothing").message()).contains("nothing");
        assertThat(fault("a: 1\nb: \u0007").message()).contains("U+0007");
        assertThat(fault("a: 1\nb: \u0007").place().line()).isEqualTo(2);
    }

    @Test
    void afterADocumentThatIsNoJsonTheNextIsStillRead() {
        Documents documents = YamlReader.read("f.yaml", "a: .inf\n---\nb: 2\n");

        assertThat(documents.faults()).hasSize(1);
        assertThat(documents.documents())
                .extracting(d -> d.tree().toString())
                .isEqualTo(List.of("{\"b\":2}"));
    }

    private static Document document(String text) {
        Documents documents = YamlReader.read("f.yaml", text);
        assertThat(documents.faults()).isEmpty();
        assertThat(documents.documents()).hasSize(1);
        return documents.documents().getFirst();
    }

    private static Fault fault(String text) {
        Documents documents = YamlReader.read("f.yaml", text);
        assertThat(documents.faults()).hasSize(1);
        return documents.faults().getFirst();
    }
}
