package dev.millrace.schemas.yaml;

import static org.assertj.core.api.Assertions.assertThat;

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
    void theParentIsOneStepShorter() {
        assertThat(DocumentPath.ROOT.key("a").index(1).parent())
                .isEqualTo(DocumentPath.ROOT.key("a"));
        assertThat(DocumentPath.ROOT.parent()).isEqualTo(DocumentPath.ROOT);
    }
}
