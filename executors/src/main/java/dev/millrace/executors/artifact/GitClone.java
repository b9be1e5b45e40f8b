package dev.millrace.executors.artifact;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.eclipse.jgit.api.CloneCommand;
import org.eclipse.jgit.api.FetchCommand;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.ResetCommand.ResetType;
import org.eclipse.jgit.api.SubmoduleUpdateCommand;
import org.eclipse.jgit.api.TransportCommand;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.eclipse.jgit.api.errors.InvalidRemoteException;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.errors.RevisionSyntaxException;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.EmptyProgressMonitor;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.RefUpdate;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.submodule.SubmoduleWalk;
import org.eclipse.jgit.transport.RefSpec;
import org.eclipse.jgit.transport.URIish;
import org.eclipse.jgit.transport.sshd.SshdSessionFactory;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Clones a repository as a {@code git} location says.
 *
 * @param place the repository for messages
 */
record GitClone(
        String repository,
        String place,
        JsonNode tree,
        GitCredentials credentials,
        Cancellation cancellation) {
    private static final int TIMEOUT_SECONDS = 120;
    private static final String ORIGIN = "origin";

    /** A path of this host would show a step what its sandbox hides. */
    private static final Set<String> SCHEMES = Set.of("http", "https", "ssh", "git");

    /**
     * Clones into a folder that is made, or made anew.
     *
     * @throws ArtifactException naming the repository and the cure
     */
    void into(Path target) throws ArtifactException, IOException {
        checkAddress(repository);
        Trees.delete(target);
        Path sshHome = Files.createTempDirectory("millrace-git");
        try (SshdSessionFactory ssh = credentials.sshFactory(sshHome);
                Git git = connected(clone(target), ssh).call()) {
            fetch(git, ssh);
            checkout(git);
            if (!tree.path("disableSubmodules").asBoolean(false)) {
                submodules(git.getRepository(), ssh);
            }
        } catch (GitAPIException | RuntimeException e) {
            cancellation.check();
            throw told(e);
        } finally {
            Trees.delete(sshHome);
        }
    }

    private void checkAddress(String address) throws ArtifactException {
        try {
            URIish uri = new URIish(address);
            // user@host:path is SSH, as everywhere in Git.
            boolean scp = uri.getScheme() == null && uri.getHost() != null;
            if ((scp && !address.contains("::"))
                    || (uri.getScheme() != null && SCHEMES.contains(uri.getScheme()))) {
                return;
            }
        } catch (URISyntaxException e) {
            throw new ArtifactException(place + " is no address of a repository", e);
        }
        throw new ArtifactException(
                place
                        + ": the address must be https://, http://, ssh://, git:// or user@host:path");
    }

    private CloneCommand clone(Path target) throws ArtifactException {
        CloneCommand clone =
                Git.cloneRepository()
                        .setURI(repository)
                        .setDirectory(target.toFile())
                        .setNoCheckout(true)
                        .setProgressMonitor(new Watching());
        String branch = tree.path("branch").asString("");
        if (tree.path("singleBranch").asBoolean(false)) {
            if (branch.isEmpty()) {
                throw new ArtifactException("git.singleBranch needs git.branch");
            }
            clone.setBranchesToClone(List.of("refs/heads/" + branch));
        } else {
            clone.setCloneAllBranches(true);
        }
        if (!branch.isEmpty()) {
            clone.setBranch("refs/heads/" + branch);
        }
        int depth = tree.path("depth").asInt(0);
        if (depth > 0) {
            clone.setDepth(depth);
        }
        return clone;
    }

    private void fetch(Git git, SshdSessionFactory ssh) throws GitAPIException {
        List<RefSpec> specs = new ArrayList<>();
        tree.path("fetch").forEach(spec -> specs.add(new RefSpec(spec.asString(""))));
        if (specs.isEmpty()) {
            return;
        }
        FetchCommand fetch =
                git.fetch().setRemote(ORIGIN).setRefSpecs(specs).setProgressMonitor(new Watching());
        int depth = tree.path("depth").asInt(0);
        if (depth > 0) {
            fetch.setDepth(depth);
        }
        connected(fetch, ssh).call();
    }

    /**
     * As {@code git checkout REVISION} does: a branch of the server is followed, all else detached.
     */
    private void checkout(Git git) throws GitAPIException, IOException, ArtifactException {
        Repository repo = git.getRepository();
        String revision = tree.path("revision").asString("");
        Ref remote = repo.exactRef("refs/remotes/" + ORIGIN + "/" + revision);
        if (remote != null) {
            String branch = Constants.R_HEADS + revision;
            RefUpdate made = repo.updateRef(branch);
            made.setNewObjectId(remote.getObjectId());
            made.forceUpdate();
            repo.updateRef(Constants.HEAD).link(branch);
        } else if (!revision.isEmpty()) {
            RefUpdate head = repo.updateRef(Constants.HEAD, true);
            head.setNewObjectId(commit(repo, revision));
            head.forceUpdate();
        }
        // A repository without a commit has nothing to check out.
        if (repo.resolve(Constants.HEAD) != null) {
            git.reset().setMode(ResetType.HARD).call();
        }
    }

    private ObjectId commit(Repository repo, String revision)
            throws IOException, ArtifactException {
        ObjectId id = resolve(repo, revision);
        if (id == null) {
            throw new ArtifactException(
                    "%s: there is no such revision in what was fetched; look at git.revision, raise git.depth, or name it in git.fetch"
                            .formatted(place));
        }
        return id;
    }

    private static @Nullable ObjectId resolve(Repository repo, String revision) throws IOException {
        try (RevWalk walk = new RevWalk(repo)) {
            ObjectId id = repo.resolve(revision + "^{commit}");
            return id == null ? null : walk.parseCommit(id).getId();
        } catch (RevisionSyntaxException | MissingObjectException e) {
            return null;
        }
    }

    private void submodules(Repository repo, SshdSessionFactory ssh)
            throws GitAPIException, IOException, ArtifactException {
        try (Git git = Git.wrap(repo)) {
            git.submoduleInit().call();
            // Before anything is fetched: a submodule's address is the repository's choice.
            try (SubmoduleWalk walk = SubmoduleWalk.forIndex(repo)) {
                while (walk.next()) {
                    String address = walk.getRemoteUrl();
                    if (address != null) {
                        checkAddress(address);
                    }
                }
            } catch (org.eclipse.jgit.errors.ConfigInvalidException e) {
                throw new ArtifactException(place + ": .gitmodules cannot be read", e);
            }
            SubmoduleUpdateCommand update =
                    git.submoduleUpdate().setProgressMonitor(new Watching());
            connected(update, ssh).call();
        }
        try (SubmoduleWalk walk = SubmoduleWalk.forIndex(repo)) {
            while (walk.next()) {
                try (Repository inner = walk.getRepository()) {
                    if (inner != null) {
                        submodules(inner, ssh);
                    }
                }
            }
        }
    }

    private <C extends TransportCommand<C, ?>> C connected(C command, SshdSessionFactory ssh) {
        if (credentials.password() != null) {
            command.setCredentialsProvider(credentials.password());
        }
        return command.setTimeout(TIMEOUT_SECONDS)
                .setTransportConfigCallback(GitCredentials.callback(ssh));
    }

    private ArtifactException told(Exception e) {
        StringBuilder all = new StringBuilder();
        for (Throwable t = e; t != null; t = t.getCause()) {
            all.append(t.getMessage()).append('\n');
        }
        String text = all.toString();
        if (text.contains("not authorized")
                || text.contains("uthentication")
                || text.contains("No more auth")) {
            return new ArtifactException(
                    "%s: the server refused us; look at git.usernameSecret, git.passwordSecret and git.sshPrivateKeySecret"
                            .formatted(place),
                    e);
        }
        if (text.contains("Server key did not validate") || text.contains("erver key")) {
            return new ArtifactException(
                    "%s: the key of the server is not known; put it into /etc/ssh/ssh_known_hosts (ssh-keyscan HOST), or set git.insecureIgnoreHostKey"
                            .formatted(place),
                    e);
        }
        if (text.contains("not found") || text.contains("Remote branch")) {
            return new ArtifactException(
                    "%s: %s; look at git.repo and git.branch".formatted(place, last(e)), e);
        }
        String message = "%s cannot be cloned: %s".formatted(place, last(e));
        boolean ours = e instanceof InvalidRemoteException && e.getCause() == null;
        return ours ? new ArtifactException(message, e) : ArtifactException.passing(message, e);
    }

    /** What was at the bottom of it, without passwords that stand in an address. */
    private static String last(Exception e) {
        Throwable t = e;
        while (t.getCause() != null) {
            t = t.getCause();
        }
        return String.valueOf(t.getMessage()).replaceAll("(\\w+://)[^/@\\s]*@", "$1");
    }

    /** Ends a transfer that is no longer wanted. */
    private final class Watching extends EmptyProgressMonitor {
        @Override
        public boolean isCancelled() {
            try {
                cancellation.check();
                return Thread.currentThread().isInterrupted();
            } catch (ArtifactException e) {
                return true;
            }
        }
    }
}
