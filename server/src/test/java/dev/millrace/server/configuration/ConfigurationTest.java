package dev.millrace.server.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.executors.http.ExecutorPlugin;
import dev.millrace.executors.process.Isolation;
import dev.millrace.schemas.record.WorkflowPhase;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigurationTest {

    @TempDir Path folder;

    @Test
    void everySettingHasADefault() {
        Configuration configuration = Configuration.load(folder, null, Map.of());
        assertThat(configuration.port()).isEqualTo(2746);
        assertThat(configuration.isLoopback()).isTrue();
        assertThat(configuration.webhookBind()).isEqualTo("127.0.0.1");
        assertThat(configuration.minimumFreeBytes()).isEqualTo(512L << 20);
        assertThat(configuration.eventRetention()).isEqualTo(Duration.ofDays(7));
        assertThat(configuration.isolation()).isEqualTo(Isolation.AUTO);
    }

    @Test
    void flagsWinOverTheFile() throws Exception {
        Files.writeString(
                folder.resolve("millrace.yaml"),
                "port: 3000\nparallelism: 2\nhosts: [a.example, B.example]\nimages:\n  my/image: [echo, x]\n");
        Configuration configuration = Configuration.load(folder, null, Map.of("port", "0"));
        assertThat(configuration.port()).isZero();
        assertThat(configuration.parallelism()).isEqualTo(2);
        assertThat(configuration.hosts()).containsExactlyInAnyOrder("a.example", "b.example");
        assertThat(configuration.images()).containsEntry("my/image", List.of("echo", "x"));
    }

    @Test
    void variablesWinOverTheFileAndFlagsOverVariables() throws Exception {
        Files.writeString(folder.resolve("millrace.yaml"), "port: 3000\nparallelism: 2\n");
        Configuration configuration =
                Configuration.load(
                        folder,
                        null,
                        Map.of("port", "0"),
                        Map.of(
                                "MILLRACE_PORT",
                                "1",
                                "MILLRACE_PARALLELISM",
                                "3",
                                "MILLRACE_SERVER",
                                "x"));
        assertThat(configuration.port()).isZero();
        assertThat(configuration.parallelism()).isEqualTo(3);
        assertThatThrownBy(
                        () ->
                                Configuration.load(
                                        folder, null, Map.of(), Map.of("MILLRACE_FSYNC", "maybe")))
                .hasMessageContaining("variable MILLRACE_FSYNC");
    }

    @Test
    void whatIsKeptOfEndedWorkflowsIsAMap() throws Exception {
        Files.writeString(
                folder.resolve("millrace.yaml"),
                "retentionPolicy: {completed: 10, errored: 0}\n"
                        + "workflowDefaults: {spec: {ttlStrategy: {secondsAfterCompletion: 5}}}\n");
        Configuration configuration = Configuration.load(folder, null, Map.of());
        assertThat(configuration.retentionPolicy().most())
                .containsOnly(
                        Map.entry(WorkflowPhase.SUCCEEDED, 10), Map.entry(WorkflowPhase.ERROR, 0));
        assertThat(configuration.workflowDefaults().spec().has("ttlStrategy")).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "retentionPolicy: 5 | {completed: 100",
                "retentionPolicy: {succeeded: 5} | 'succeeded' is not known",
                "retentionPolicy: {failed: -1} | failed is '-1'",
                "workflowDefaults: {spce: {}} | 'spce' is not known",
                "workflowDefaults: {metadata: {name: a}} | metadata.name cannot be a default",
                "workflowDefaults: {spec: {ttlStrateyg: {}}} | ttlStrateyg",
                "executorPlugins: [a] | a map such as {hello: {url:",
                "executorPlugins: {a: {}} | a.url must be an address such as",
                "executorPlugins: {a: {url: 'ftp://x'}} | a.url must be an address such as",
                "executorPlugins: {a: {url: 'http://me:pw@x'}} | a.url must be an address such as",
                "executorPlugins: {a: {uri: 'http://x'}} | a.uri is not known here; there are url, tokenFile",
                "executorPlugins: {a: {url: 'http://x', tokenFile: t}} | a.tokenFile must be an absolute path",
                "executorPlugins: {a: {url: 'http://x', tokenFile: /t, tokenSecret: {}}} | both tokenFile and tokenSecret",
                "executorPlugins: {a: {url: 'http://x', tokenSecret: {name: s}}} | a.tokenSecret must have",
                "executorPlugins: {a: {url: 'http://x', timeout: never}} | a.timeout must be a duration",
            })
    void whatIsWrongWithAMapIsSaidWithItsPlace(String line, String said) throws Exception {
        Files.writeString(folder.resolve("millrace.yaml"), line + "\n");
        assertThatThrownBy(() -> Configuration.load(folder, null, Map.of()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("millrace.yaml:1:1")
                .hasMessageContaining(said);
    }

    @Test
    void pluginsAreReadWithTheirTokens() throws Exception {
        Files.writeString(
                folder.resolve("millrace.yaml"),
                "executorPlugins: {a: {url: 'http://x:1/'}, b: {url: 'https://y/p', timeout: 1m, tokenFile: /t}, c: {url: 'http://z', tokenSecret: {name: s, key: k}}}");
        assertThat(Configuration.load(folder, null, Map.of()).executorPlugins())
                .isEqualTo(
                        Map.of(
                                "a",
                                new ExecutorPlugin(
                                        URI.create("http://x:1"),
                                        null,
                                        null,
                                        Duration.ofSeconds(30)),
                                "b",
                                new ExecutorPlugin(
                                        URI.create("https://y/p"),
                                        Path.of("/t"),
                                        null,
                                        Duration.ofMinutes(1)),
                                "c",
                                new ExecutorPlugin(
                                        URI.create("http://z"),
                                        null,
                                        new ExecutorPlugin.TokenSecret("default", "s", "k"),
                                        Duration.ofSeconds(30))));
    }

    @Test
    void aMapStandsInTheFileOnly() {
        assertThatThrownBy(() -> Configuration.load(folder, null, Map.of("retentionPolicy", "5")))
                .hasMessageContaining("flag --retentionPolicy")
                .hasMessageContaining("millrace.yaml");
    }

    @Test
    void anUnknownSettingIsRefusedWithItsPlaceAndThoseThatThereAre() throws Exception {
        Files.writeString(folder.resolve("millrace.yaml"), "port: 1\nprot: 2\n");
        assertThatThrownBy(() -> Configuration.load(folder, null, Map.of()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("millrace.yaml:2:1")
                .hasMessageContaining("'prot'")
                .hasMessageContaining("port, bind");
        assertThatThrownBy(
                        () -> Configuration.load(folder.resolve("none"), null, Map.of("prot", "2")))
                .hasMessageContaining("flag --prot");
    }

    @ParameterizedTest
    @CsvSource({
        "port,abc,0 to 65535",
        "port,70000,0 to 65535",
        "partitions,0,1 to 1000",
        "fsync,maybe,true or false",
        "minimumFreeDisk,1TB,512Mi",
        "eventRetention,week,168h",
        "eventRetention,0s,above zero",
        "isolation,docker,bubblewrap"
    })
    void aWrongValueIsNamedWithWhatIsExpected(String key, String value, String expected) {
        assertThatThrownBy(() -> Configuration.load(folder, null, Map.of(key, value)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(key)
                .hasMessageContaining(value)
                .hasMessageContaining(expected);
    }

    @Test
    void theArtifactRepositoryIsTheDataFolderOrWhatTheFileSays() throws Exception {
        assertThat(Configuration.load(folder, null, Map.of()).artifactRepository())
                .isEqualTo(ArtifactRepository.local());
        Files.writeString(
                folder.resolve("millrace.yaml"),
                "artifactRepository:\n  archiveLogs: true\n  s3:\n    bucket: b\n");
        assertThat(
                        Configuration.load(folder, null, Map.of())
                                .artifactRepository()
                                .tree()
                                .at("/s3/bucket")
                                .asString())
                .isEqualTo("b");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gcs: {bucket: b} | is not known here",
                "s3: {key: k} | s3.bucket is missing",
                "archiveLogs: true | exactly one of local and s3",
                "archiveLogs: maybe, local: {} | archiveLogs is true or false",
                "local: x | local is a map"
            })
    void aWrongArtifactRepositoryIsNamedWithItsPlace(String written, String expected)
            throws Exception {
        Files.writeString(
                folder.resolve("millrace.yaml"),
                "port: 1\nartifactRepository: {" + written + "}\n");
        assertThatThrownBy(() -> Configuration.load(folder, null, Map.of()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("millrace.yaml:2:")
                .hasMessageContaining(expected);
    }
}
