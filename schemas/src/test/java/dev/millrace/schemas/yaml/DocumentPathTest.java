package dev.millrace.schemas.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonPointer;

class DocumentPathTest {

    @Test
    void aPathIsWrittenAsPeopleDo() {
        DocumentPath path = DocumentPath.ROOT.key("spec").key("templates").index(0).key("x-y");

        assertThat(path).hasToString("spec.templates[0].x-y");
        assertThat(DocumentPath.ROOT.key("metadata").key("labels").key("a.b/c"))
                .hasToString("metadata.labels[\"a.b/c\"]");
        assertThat(DocumentPath.ROOT).hasToString("");
    }

    @Test
    void aPathAndItsPointerSayTheSame() {
        DocumentPath path = DocumentPath.ROOT.key("a/b").index(2).key("~c");

        assertThat(path.pointer()).isEqualTo("/a~1b/2/~0c");
        assertThat(DocumentPath.of(JsonPointer.compile(path.pointer()))).isEqualTo(path);
    }

    @Test
    void aWrittenPathIsReadBack() {
        List<String> keys = List.of("spec", "x-y", "$ref", "a.b/c", "", "[0]", "a\"b", "ein ö");
        for (long seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            DocumentPath path = DocumentPath.ROOT;
            for (int i = random.nextInt(6); i > 0; i--) {
                path =
                        random.nextInt(3) == 0
                                ? path.index(random.nextInt(20))
                                : path.key(keys.get(random.nextInt(keys.size())));
            }
            assertThat(DocumentPath.parse(path.toString())).as("seed " + seed).contains(path);
        }
        for (String other : List.of("spec.", ".spec", "spec..a", "a b", "spec[x]", "spec[0]a")) {
            assertThat(DocumentPath.parse(other)).as(other).isEmpty();
        }
    }

    @Test
    void theParentIsOneStepShorter() {
        assertThat(DocumentPath.ROOT.key("a").index(1).parent())
                .isEqualTo(DocumentPath.ROOT.key("a"));
        assertThat(DocumentPath.ROOT.parent()).isEqualTo(DocumentPath.ROOT);
    }
}
