package dev.millrace.schemas.sensor;

import dev.millrace.schemas.event.BasicAuth;
import dev.millrace.schemas.workflow.SecretKeySelector;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A file of a Git repository.
 *
 * @param branch absent means {@code master} unless a tag or a ref is given
 * @param ref a full reference such as {@code refs/tags/v1}
 */
public record GitArtifact(
        @Nullable String url,
        @Nullable String cloneDirectory,
        @Nullable BasicAuth creds,
        @Nullable SecretKeySelector sshKeySecret,
        @Nullable String filePath,
        @Nullable String branch,
        @Nullable String tag,
        @Nullable String ref,
        @Nullable GitRemote remote,
        @Nullable Boolean insecureIgnoreHostKey,
        @Nullable GithubApp githubApp) {

    /** A second remote to fetch from. */
    public record GitRemote(@Nullable String name, List<String> urls) {

        public GitRemote {
            urls = urls == null ? List.of() : urls;
        }
    }

    /** Credentials of a GitHub App. */
    public record GithubApp(
            @Nullable SecretKeySelector privateKey,
            @Nullable Long appID,
            @Nullable Long installationID) {}
}
