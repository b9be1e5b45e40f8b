package dev.millrace.workflowengine.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class EngineTopologyTest {

    @Test
    void theNamesOfTheTopologyStayAsTheyAreSinceTheStateIsCalledByThem() throws IOException {
        try (InputStream golden = EngineTopologyTest.class.getResourceAsStream("topology.txt")) {
            String expected =
                    new String(
                            Objects.requireNonNull(golden, "topology.txt is missing")
                                    .readAllBytes(),
                            StandardCharsets.UTF_8);
            assertThat(WorkflowEngine.topology(EngineOptions.DEFAULT).describe().toString().strip())
                    .isEqualTo(expected.strip());
        }
    }

    @Test
    void transitionsOfAWorkflowLieInThePartitionOfItsKeyWhateverTheirNumber() {
        var partitioner = new ByWorkflow();
        int partition = ByWorkflow.partition("ns/a", 32);
        for (String seq : new String[] {"1", "2", "77", "rejected"}) {
            assertThat(partitioner.partitions("t", "ns/a/" + seq, "", 32).orElseThrow())
                    .containsExactly(partition);
        }
    }
}
